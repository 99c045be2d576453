/* inline.c - the primitives that compute a block's value in the place of the temporary that it
   writes, or that another block reads.

   needs     flow.c
   promises  each value is computed from the same operands as before, though perhaps more often */
#include "schedule.h"

enum { IRL__INLINE_MAKERS = 32 };

/* What both primitives know of the temporary between two units. */
typedef struct irl__inline {
    irl__flow_unit    maker; /* that writes it; of reverse_compute_inline one of those that do */
    const irl_stmt   *makers[IRL__INLINE_MAKERS];
    int               maker_count;
    irl__flow_unit    user;  /* of reverse_compute_inline: that reads it */
    irl__flow_buffer  b;
    irl__flow_inverse inv;
    irl__ptr_map      places;    /* where statements of the function stand beside the maker */
    int               level;     /* of the innermost statement that holds all that touch it */
    int               is_looped; /* a loop stands between the declaration and that statement: */
    int               span;      /* the outermost; else the same level */
} irl__inline;

/* Two expressions of memory: are lanes, calls or bits of it in them? */
static int irl__inline_is_scalar(const irl_expr *e)
{
    if (e->op == IRL_OP_CALL_EXTERN || e->op == IRL_OP_CALL_INTRINSIC) return 0;
    if (e->flags & IRL__HAS_LANES) return 0;
    for (uint32_t k = 0; k < e->count; k++)
        if (!irl__inline_is_scalar(e->a[k])) return 0;
    return 1;
}

static int irl__inline_store_is_scalar(const irl_stmt *store)
{
    for (int k = 0; k < store->u.store.buffer->rank; k++)
        if (!irl__inline_is_scalar(store->u.store.indices[k])) return 0;
    return irl__inline_is_scalar(store->u.store.value);
}

/* The level that all rows of the buffer share; where a loop stands around it inside of the
   declaration's scope, values may come from another iteration. */
static int irl__inline_level(irl__sched *s, irl__inline *q)
{
    const irl__place *p = &q->maker.p;
    int               level = p->count - 1;
    if (!irl__place_all(s->cx, p, &q->places)) return 0;
    IRL__EACH_ROW(a, &q->b.t) {
        if (!irl__flow_is_of(a, q->b.buffer)) continue;
        const irl__place_near *at = (const irl__place_near *)irl__ptr_map_get(&q->places, a->place);
        if (!at) return 0;
        if (at->level < level) level = at->level;
    }
    q->level = q->span = level;
    for (int k = level; k-- > q->b.scope.count;)
        if (p->at[k]->kind == IRL__FOR) q->span = k;
    q->is_looped = q->span < level;
    return 1;
}

/* ------------------------------------------------------------------ loads in other terms */

typedef struct irl__inline_swap {
    irl__inline      *q;
    irl__sched       *s;
    const irl_stmt   *skip;   /* left as it is */
    const irl_buffer *target; /* not NULL: cells become cells of this buffer */
    const irl_expr   *const *target_indices;
    const irl_expr   *value;
} irl__inline_swap;

/* value, or target[target_indices], where the unit's coordinates are those of the cell. */
static const irl_expr *irl__inline_at(irl__inline_swap *w, const irl__flow_unit *u,
                                      const irl_expr *const *cell, const irl_expr *e)
{
    const irl_expr *at[IRL__FLOW_MOST];
    const int       plain = w->q->inv.rank;
    for (int k = 0; k < u->count; k++) {
        at[k] = irl__substitute(w->s->cx, w->q->inv.out[k], plain, w->q->inv.y, cell);
        if (at[k]) at[k] = irl__simplify_alone(w->s->cx, at[k]);
        if (!at[k]) return NULL;
    }
    return irl__substitute(w->s->cx, e, u->count, u->var, at);
}

/* A load becomes what the maker computes; or a cell of the target, where its stores become those of
   the target. */
static const irl_expr *irl__inline_load_hook(irl__rewriter *r, const irl_expr *e)
{
    irl__inline_swap *w = (irl__inline_swap *)r->user;
    if (!(e->flags & IRL__HAS_MEMORY)) return e;
    e = irl__rewrite_expr_children(r, e);
    if (!e || e->op != IRL_OP_LOAD || e->u.buffer != w->q->b.buffer) return e;
    if (!w->target) return irl__inline_at(w, &w->q->maker, e->a, w->value);
    return irl__inline_at(w, &w->q->user, e->a, irl_expr_load(r->cx, w->target, w->target->rank,
                                                              w->target_indices));
}

/* The regions stay: they are made anew afterwards. */
static const irl_stmt *irl__inline_stmt_hook(irl__rewriter *r, const irl_stmt *s)
{
    irl__inline_swap *w = (irl__inline_swap *)r->user;
    irl__block_data  *block;
    if (s == w->skip) return s;
    const irl_stmt *now = irl__rewrite_stmt_children(r, s);
    if (!now || now->kind != IRL__BLOCK || now == s) return now;
    irl_stmt *copy = irl__block_copy(r->cx, now, &block);
    if (!copy) return NULL;
    block->reads = s->u.block->reads;
    block->writes = s->u.block->writes;
    return irl__stmt_finish(r->cx, copy);
}

/* ------------------------------------------------------------------ compute_inline

   requires  a block without init, or a nest, that is one store and alone writes a temporary, whose
             indices determine its axes
   does      each load of the temporary becomes what the block computes for that cell; the block and
             the temporary are gone
   refuses   a parameter, which the caller sees; a second writer; a reduction; an axis that the
             indices do not determine; a load of a cell that is not known to be written; operands
             that are written between the block and a load, with two iterations that meet; a barrier
             between, where work-items wait for what others do to an operand */

static int irl__inline_refuse_stores(irl__sched *s, const irl__arg *arg)
{
    return irl__refuse_at(s, arg->loc, "'%s' is more than one store: %H", arg->name,
                          "compose_store of a loop first, where there are lets or a condition");
}

static int irl__inline_maker(irl__sched *s, irl__inline *q)
{
    const irl__arg *arg = &s->args[0];
    irl__flow_unit *u = &q->maker;
    int             own = 0;
    if (!irl__flow_unit_of(s, u)) return 0;
    if (u->block && u->block->init)
        return irl__refuse_at(s, arg->loc, "'%s' is a reduction, with init", u->block->name);
    if (!u->store) return irl__inline_refuse_stores(s, arg);
    if (!irl__flow_temporary(s, arg, u->store->u.store.buffer, &q->b)) return 0;
    if (!irl__flow_axes(s, u, q->b.scope.count - 1)) return 0;
    if (!irl__inline_store_is_scalar(u->store))
        return irl__refuse_at(s, arg->loc, "'%s' computes several lanes, or calls a function",
                              arg->name);
    IRL__EACH_ROW(r, &q->b.t) own += irl__flow_is_of(r, q->b.buffer) && r->place == u->store;
    if (q->b.writes > 1)
        return irl__refuse_at(s, arg->loc, "'%B' is written by another statement too", q->b.buffer);
    if (own > 1)
        return irl__refuse_at(s, arg->loc, "'%s' reads '%B', which it writes", arg->name,
                              q->b.buffer);
    return irl__inline_level(s, q);
}

/* What it is made of means the same where the loads stand. */
static int irl__inline_is_closed(irl__sched *s, const irl__arg *arg, const irl__inline *q,
                                 const irl__flow_unit *u)
{
    const irl_expr *stranger = irl__flow_stranger(&q->b, u, u->store->u.store.value);
    for (int k = 0; !stranger && k < u->store->u.store.buffer->rank; k++)
        stranger = irl__flow_stranger(&q->b, u, u->store->u.store.indices[k]);
    /* of the user these become conditions in the maker's place */
    for (int k = 0; !stranger && u == &q->user && k < u->count; k++) {
        stranger = irl__flow_stranger(&q->b, u, u->min[k]);
        if (!stranger) stranger = irl__flow_stranger(&q->b, u, u->extent[k]);
    }
    if (!stranger && u == &q->user && u->guard)
        stranger = irl__flow_stranger(&q->b, u, u->guard);
    return !stranger || irl__refuse_at(s, arg->loc, "'%s' uses '%s', which is not one of its axes",
                                       arg->name, stranger->u.name);
}

/* What it reads is declared where the loads can see it. */
typedef struct irl__inline_visible {
    const irl_stmt   *inside;
    const irl_buffer *found;
} irl__inline_visible;

static void irl__inline_see_load(irl__visitor *v, const irl_buffer *b, const irl_stmt *s)
{
    irl__inline_visible *q = (irl__inline_visible *)v->user;
    if (!s && irl__place_declares(q->inside, b)) q->found = b;
}

static int irl__inline_is_visible(irl__sched *s, const irl__arg *arg, const irl__inline *q,
                                  const irl__flow_unit *u)
{
    irl__inline_visible seen;
    irl__visitor        v = irl__visitor_make(&seen, NULL, NULL);
    const irl_stmt     *at = u->p.at[q->level];
    int                 first = q->level + 1 < u->p.count ? u->p.child[q->level + 1] : 0;
    v.buffer = irl__inline_see_load;
    seen.found = NULL;
    seen.inside = q->level + 1 < u->p.count ? u->p.at[q->level + 1] : at;
    irl__visit_expr(&v, u->store->u.store.value);
    for (int k = q->maker.p.child[q->level + 1] + 1; at->kind == IRL__SEQ && k < first; k++) {
        seen.inside = at->u.seq.stmts[k];
        irl__visit_expr(&v, u->store->u.store.value);
    }
    return !seen.found || irl__refuse_at(s, arg->loc, "'%s' reads '%B', which is not declared "
                                         "where its value would be computed", arg->name,
                                         seen.found);
}

/* Does the statement stand in the outermost loop in which values may come from other iterations, or
   in the common statement? */
static int irl__inline_is_beside(const irl__inline *q, const irl_stmt *place)
{
    const irl__place_near *at = (const irl__place_near *)irl__ptr_map_get(&q->places, place);
    return at && at->level >= q->span;
}

/* Which child of the sequence at its level holds the statement? The whole, if it is none. */
static int irl__inline_child(const irl__inline *q, const irl_stmt *place)
{
    return irl__place_child(&q->maker.p, &q->places, place, q->level);
}

/* Each load reads a cell that was written. */
static int irl__inline_is_written(irl__sched *s, irl__inline *q)
{
    const int maker = q->level + 1 < q->maker.p.count ? q->maker.p.child[q->level + 1] : 0;
    irl__path path;
    IRL__EACH_ROW(r, &q->b.t)
        if (irl__flow_is_of(r, q->b.buffer) &&
            !irl__flow_is_write(r) &&
            irl__inline_child(q, r->place) < maker)
            return irl__refuse(s, "'%B' is read before '%N', which writes it", q->b.buffer);
    if (!irl__flow_is_complete(s, &q->maker, q->b.scope.count))
        return irl__refuse(s, "as far as is known, '%N' does not write each point of its axes");
    if (irl__flow_reaches_all(s, &q->maker, &q->inv)) return 1;
    if (!irl__path_begin(&path, &q->b.t)) return 0;
    IRL__EACH_ROW(a, &q->b.t) {
        const irl_expr    *cell[IRL_MAX_RANK];
        if (!irl__flow_is_of(a, q->b.buffer) || irl__flow_is_write(a)) continue;
        for (int i = 0; i < a->rank; i++)
            if (!(cell[i] = irl__accesses_plain(&q->b.t, a->indices[i]))) return 0;
        if (!irl__path_to(&path, a->around)) return 0;
        if (!irl__flow_reaches(s, path.an, &q->maker, &q->inv, cell))
            return irl__refuse(s, "as far as is known, '%N' does not write %X before it is read",
                               a);
    }
    return 1;
}

/* What stands around an operand of the maker where its value is computed for load r. */
static const irl__around *irl__inline_around(irl__inline_swap *w, const irl__around *n,
                                             const irl__access *r)
{
    if (!n || n->stmt == irl__place_last(&w->q->maker.p)) return r->around;
    const irl__around *outer = irl__inline_around(w, n->outer, r);
    if (n->kind != IRL__AROUND_GUARD && n->kind != IRL__AROUND_LET) return outer;
    irl__around *made = IRL__SCRATCH(w->s->cx, irl__around, 1);
    if (!made) return NULL;
    *made = *n;
    made->outer = outer;
    made->depth = outer ? outer->depth + 1 : 0;
    made->loop = outer ? outer->loop : NULL;
    made->loop_count = outer ? outer->loop_count : 0;
    made->binder = made;
    made->value = irl__inline_at(w, &w->q->maker, r->indices, n->value);
    return made->value ? made : NULL;
}

/* The row that operand o of the maker becomes where its value is computed for load r. */
static int irl__inline_operand(irl__inline_swap *w, const irl__access *o, const irl__access *r,
                               irl__access *out, const irl_expr **indices)
{
    *out = *o;
    out->indices = indices;
    out->place = r->place;
    out->around = irl__inline_around(w, o->around, r);
    for (int k = 0; k < o->rank; k++) {
        indices[k] = irl__inline_at(w, &w->q->maker, r->indices, o->indices[k]);
        if (!indices[k]) return 0;
        out->lanes = (uint32_t)indices[k]->type.lanes;
    }
    return irl__ok(w->s->cx);
}

/* Who writes between the unit's place and a load changes no operand of it. */
static int irl__inline_is_steady(irl__sched *s, irl__inline_swap *w)
{
    irl__inline        *q = w->q;
    irl__accesses      *t = &q->b.t;
    const irl__flow_set loads = irl__flow_set_of(t, IRL__ROWS_READ, NULL, NULL, q->b.buffer);
    const irl__flow_set writes = irl__flow_set_of(t, IRL__ROWS_WRITE, NULL, NULL, NULL);
    const irl__flow_set reads = irl__flow_set_of(t, IRL__ROWS_READ, NULL, NULL, NULL);
    const int           maker = irl__inline_child(q, q->maker.store);
    const irl_expr     *indices[IRL_MAX_RANK];
    irl__access         there;
    irl__meeting        m;
    IRL__FLOW_PAIRS(o, a, reads, writes) {
        if (o->place != q->maker.store || a->memory == q->b.buffer->data ||
            !irl__inline_is_beside(q, a->place) ||
            (!q->is_looped && irl__inline_child(q, a->place) < maker))
            continue;
        IRL__FLOW_EACH(r, loads) {
            if (!irl__inline_operand(w, o, r, &there, indices)) return 0;
            const irl__flow_order order = { &q->maker.p, q->level, IRL__BEFORE, a < r, 0 };
            irl__pair            *p = irl__pair_begin(t, a, &there, IRL__PAIR_STEPS);
            if (!p) return 0;
            if ((q->is_looped ? irl__pair_meets(p, NULL, &m)
                              : irl__flow_ordered(p, &order, 0, NULL, NULL, NULL, &m)) != IRL_NO)
                return irl__refuse_meeting(s, t, &m, "its operands are written before a load",
                                           NULL);
        }
    }
    return 1;
}

/* The statement of f behind which the maker is gone, and the temporary. */
static irl_func *irl__inline_finish(irl__sched *s, const irl__inline *q, const irl_func *g,
                                    const irl__flow_unit *gone)
{
    irl__place at;
    if (!g || !irl__place_of(g->body, irl__place_last(&gone->p)->id, &at)) return NULL;
    irl_func *f = irl__place_without(g, &at);
    return f ? irl__flow_undeclared(s, f, q->b.buffer) : NULL;
}

int irl__do_compute_inline(irl__sched *s)
{
    irl__inline      q;
    irl__inline_swap w;
    irl__rewriter    r = irl__rewriter_make(s->cx, &w, irl__inline_load_hook,
                                            irl__inline_stmt_hook);
    const irl_expr *missing;
    memset(&q, 0, sizeof q);
    memset(&w, 0, sizeof w);
    if (!irl__inline_maker(s, &q) || !irl__inline_is_closed(s, &s->args[0], &q, &q.maker) ||
        !irl__inline_is_visible(s, &s->args[0], &q, &q.maker) ||
        !irl__flow_invert(s, &q.maker, q.b.buffer->rank, q.b.buffer->shape,
                          q.maker.store->u.store.indices, &q.inv, &missing))
        return 0;
    if (missing)
        return irl__refuse_at(s, s->args[0].loc, "the indices of '%B' do not determine '%s'",
                              q.b.buffer, missing->u.name);
    if (q.b.reads && !irl__inline_is_written(s, &q)) return 0;
    if (!irl__flow_is_of_item(s, &q.b.t, &q.maker.p, q.level, q.b.buffer) ||
        !irl__flow_waits_for_none(s, &q.b.t, &q.maker.p, q.level,
                                  irl__inline_child(&q, q.maker.store), -1, &q.b.buffer, 1))
        return 0;
    w.q = &q;
    w.s = s;
    w.skip = irl__place_last(&q.maker.p);
    w.value = irl__bitfield_kept(s->cx, q.b.buffer, q.maker.store->u.store.value);
    const irl_stmt *now = irl__rewrite_stmt(&r, q.maker.p.at[q.level]);
    irl_func       *g = irl__place_put(s->f, &q.maker.p, q.level, now);
    if (!g || (q.b.reads && !irl__inline_is_steady(s, &w))) return 0;
    return irl__sched_become(s, irl__inline_finish(s, &q, g, &q.maker));
}

/* ------------------------------------------------------------------ reverse_compute_inline

   requires  a block without init, or a nest, that is one store, and alone reads a temporary, at
             indices that determine its axes; blocks or nests write that temporary and nothing
             else, and do not read it. Where one of them reduces, there is no other, and the block
             only copies
   does      whatever is written to the temporary is written as the block would have: y[g] = h(e).
             Cells that the block does not read get a condition; the block and the temporary are
             gone
   refuses   a second reader; an axis that the indices do not determine; a reduction
             whose result is computed with; a read behind a choice; stores to one cell that would
             change their order; what could fail with a value that is not final; what would be
             read or written too early, with two iterations that meet; a barrier between, or an
             element that another work-item wrote; bounds that read memory; a view that is declared
             behind the writer; elements of bits of which one write does not store each */

static int irl__inline_is_maker(const irl__inline *q, const irl_stmt *s)
{
    for (int k = 0; k < q->maker_count; k++)
        if (q->makers[k] == s) return 1;
    return 0;
}

/* Is b a temporary that the store alone reads, but for the statements that write it? */
static int irl__inline_find_writers(const irl__accesses *t, const irl_buffer *b,
                                    const irl_stmt *store, irl__inline *q)
{
    int i, inside;
    q->maker_count = 0;
    IRL__EACH_ROW(a, t) {
        if (!irl__flow_is_of(a, b) || !irl__flow_is_write(a)) continue;
        const irl__around *writer = irl__around_next(a->around, IRL__AROUND_BLOCK);
        if (!writer) writer = irl__around_next(a->around, IRL__AROUND_LOOP);
        if (!writer || a->place == store) return 0;
        if (irl__inline_is_maker(q, writer->stmt)) continue;
        if (q->maker_count == IRL__INLINE_MAKERS) return 0;
        q->makers[q->maker_count++] = writer->stmt;
    }
    IRL__EACH_ROW(r, t) {
        if (!irl__flow_is_of(r, b) || r->place == store) continue;
        for (inside = i = 0; i < q->maker_count; i++)
            inside |= irl__access_in(r, q->makers[i]);
        if (!inside) return 0;
    }
    return q->maker_count > 0;
}

/* The temporary between the user and its makers. */
static int irl__inline_find_makers(irl__sched *s, const irl__arg *arg, irl__inline *q)
{
    const irl_stmt   *store = q->user.store;
    const irl_buffer *b = NULL;
    const irl_expr   *load = NULL;
    irl__accesses     t;
    if (!irl__accesses_of(&t, s->f, NULL)) return 0;
    for (int k = 0; k < t.count && !q->maker_count; k++) {
        const irl__access *a = &t.list[k];
        if (a->place != store || a->kind != IRL__ACCESS_READ || a->is_declared || !a->buffer ||
            irl__func_param_of(s->f, a->buffer->data) >= 0)
            continue;
        b = a->buffer;
        load = a->expr;
        if (!irl__inline_find_writers(&t, b, store, q)) q->maker_count = 0;
    }
    if (!q->maker_count)
        return irl__refuse_at(s, arg->loc, "'%s' reads no temporary that other blocks write and "
                              "that nothing else reads", arg->name);
    if (!irl__flow_temporary(s, arg, b, &q->b)) return 0;
    IRL__EACH_ROW(a, &t) {
        for (int i = 0; i < q->maker_count; i++)
            if (irl__access_in(a, q->makers[i]) && a->place != q->makers[i] &&
                irl__flow_is_write(a) && a->memory != b->data)
                return irl__refuse_at(s, arg->loc, "the statement that writes '%B' also writes "
                                      "'%s'", b, a->buffer->name);
        if (!irl__flow_is_of(a, b) || a->place != store) continue;
        if (b->rank && !(a->expr && irl__exprs_equal(b->rank, a->expr->a, load->a)))
            return irl__refuse_at(s, arg->loc, "'%s' reads '%B' at several indices", arg->name, b);
    }
    q->inv.indices = load->a;
    return 1;
}

/* Maker k becomes the one that is looked at. */
static int irl__inline_take_maker(irl__sched *s, irl__inline *q, int k)
{
    memset(&q->maker, 0, sizeof q->maker);
    if (!irl__place_of(s->f->body, q->makers[k]->id, &q->maker.p)) return 0;
    if (q->makers[k]->kind == IRL__BLOCK) q->maker.block = q->makers[k]->u.block;
    return 1;
}

/* The maker's axes, and its one store; NULL: several, or it reads what it writes. */
static int irl__inline_read_maker(irl__sched *s, irl__inline *q)
{
    irl__flow_unit *u = &q->maker;
    if (!irl__flow_axes(s, u, q->b.scope.count - 1)) return 0;
    const irl_stmt *at = u->block ? u->block->body : irl__place_last(&u->p)->u.loop.body;
    while (!u->block && at->kind == IRL__IF && !at->u.branch.else_) at = at->u.branch.then_;
    u->store = at->kind == IRL__STORE && !(u->block && u->block->init) ? at : NULL;
    for (int k = 0; u->store && k < q->b.t.count; k++)
        if (irl__flow_is_of(&q->b.t.list[k], q->b.buffer) && q->b.t.list[k].place == u->store &&
            !irl__flow_is_write(&q->b.t.list[k]))
            u->store = NULL;
    if (u->store && !irl__inline_store_is_scalar(u->store)) u->store = NULL;
    return 1;
}

/* No iteration of a loop around both, inside of the scope, writes a cell again. */
static int irl__inline_once(irl__sched *s, irl__inline *q)
{
    const irl__flow_set w = irl__flow_set_of(&q->b.t, IRL__ROWS_STORE, NULL, NULL, q->b.buffer);
    irl__meeting        m;
    return irl__flow_carries(&q->b.t, &q->maker.p, q->b.scope.count, q->level, &w, &w, &m) ==
               IRL_NO ||
           irl__refuse_meeting(s, &q->b.t, &m, "a cell is written again after it was read", NULL);
}

/* Where the cell at `cell`, of the maker, is one that the user reads; NULL: everywhere. False on
   failure. */
static int irl__inline_condition(irl__inline_swap *w, const irl_expr *const *cell,
                                 const irl_expr **out)
{
    const irl__flow_unit    *user = &w->q->user;
    const irl__flow_inverse *inv = &w->q->inv;
    irl_ctx                 *cx = w->s->cx;
    irl__analyzer           *an = irl__flow_analyzer(w->s, &w->q->maker);
    const irl_expr          *at[IRL__FLOW_MOST];
    *out = NULL;
    for (int k = 0; an && k < user->count; k++) {
        at[k] = irl__substitute(cx, inv->out[k], inv->rank, inv->y, cell);
        at[k] = irl__simplify_alone(cx, at[k]);
        if (!irl__place_ask(cx, an, out, IRL_OP_GE, at[k], user->min[k]) ||
            !irl__place_ask(cx, an, out, IRL_OP_LT,
                            irl__is_int(user->min[k], 0) ? at[k]
                                                         : irl__sub(cx, at[k], user->min[k]),
                            user->extent[k]))
            return 0;
    }
    for (int k = 0; an && k < inv->rank; k++) {
        const irl_expr *e = irl__substitute(cx, inv->indices[k], user->count, user->var, at);
        if (!e || (e != cell[k] && !irl__prove_equal(an, e, cell[k]) &&
                   !irl__place_ask(cx, an, out, IRL_OP_EQ, e, cell[k])))
            return 0;
    }
    const irl_expr *guard =
        user->guard ? irl__substitute(cx, user->guard, user->count, user->var, at) : NULL;
    if (guard && !irl__prove(an, guard)) *out = irl__and(cx, *out, guard);
    return an && irl__ok(cx);
}

/* Does an element of a keep what one of b does, and no more? */
static int irl__inline_keeps(const irl_buffer *a, const irl_buffer *b)
{
    const int bits = irl__bitfield_is_narrow(a) ? a->bits : 0;
    return irl_type_equal(a->type, b->type) &&
           bits == (irl__bitfield_is_narrow(b) ? b->bits : 0);
}

static const irl_stmt *irl__inline_store_hook(irl__rewriter *r, const irl_stmt *s)
{
    irl__inline_swap *w = (irl__inline_swap *)r->user;
    const irl_expr   *at[IRL_MAX_RANK], *value, *condition;
    if (s->kind != IRL__STORE || s->u.store.buffer != w->q->b.buffer)
        return irl__inline_stmt_hook(r, s);
    value = irl__rewrite_expr(r, s->u.store.value);
    if (w->value || !irl__inline_keeps(w->target, w->q->b.buffer))
        value = irl__bitfield_kept(r->cx, w->q->b.buffer, value);
    for (int k = 0; k < w->target->rank; k++)
        if (!(at[k] = irl__inline_at(w, &w->q->user, s->u.store.indices, w->target_indices[k])))
            return NULL;
    if (w->value && value) { /* y[g] = h(v, e) */
        const irl_expr *load = irl_expr_load(r->cx, w->q->b.buffer, w->q->b.buffer->rank,
                                             w->q->inv.indices);
        value = load ? irl__copy_replaced(r->cx, w->value, load, value) : NULL;
        value = value ? irl__inline_at(w, &w->q->user, s->u.store.indices, value) : NULL;
    }
    if (!value || !irl__inline_condition(w, s->u.store.indices, &condition)) return NULL;
    const irl_stmt *now = irl__stmt_store(r->cx, w->target, value, w->target->rank, at, s->loc);
    return now && condition ? irl_stmt_if(r->cx, condition, now, NULL) : now;
}

/* The condition of the one store of a block goes into its `where`. */
static const irl_stmt *irl__inline_where(irl__sched *s, const irl_stmt *at)
{
    const irl__block_data *old = at->u.block;
    const irl_expr        *from[IRL__FLOW_MOST], *to[IRL__FLOW_MOST];
    if (at->kind != IRL__BLOCK || old->init || old->body->kind != IRL__IF ||
        old->axis_count > IRL__FLOW_MOST || old->body->u.branch.else_ ||
        (old->body->u.branch.condition->flags & IRL__HAS_MEMORY))
        return at;
    for (int k = 0; k < old->axis_count; k++) {
        from[k] = old->axes[k].var;
        to[k] = old->axes[k].binding;
        if (to[k]->flags & IRL__HAS_MEMORY) return at;
    }
    const irl_expr *e = irl__substitute(s->cx, old->body->u.branch.condition, old->axis_count, from,
                                        to);
    return irl__block_with(s->cx, at, irl__and(s->cx, old->predicate, e),
                           old->body->u.branch.then_);
}

/* Can the user, in its original place `used`, touch what a touches? What it does not touch there it
   does not touch in the maker's place. */
static int irl__inline_is_users(const irl__accesses *t, const irl__inline *q, const irl_stmt *used,
                                const irl__access *a)
{
    const irl__flow_set in = irl__flow_set_of(t, IRL__ROWS_ALL, used, NULL, NULL);
    IRL__FLOW_EACH(c, in)
        if (c->place != used && c->memory != q->b.buffer->data &&
            irl__access_alias(t, a, c) != IRL_NO)
            return 1;
    return 0;
}

/* In g, where the first maker stores what the user did: is all of it declared there? */
static int irl__inline_is_declared(irl__sched *s, const irl__inline *q, const irl_func *g)
{
    irl__place  at, user;
    if (!irl__place_of(g->body, irl__place_last(&q->maker.p)->id, &at) ||
        !irl__place_of(g->body, irl__place_last(&q->user.p)->id, &user))
        return 0;
    if (at.at[q->level]->kind != IRL__SEQ) return 1;
    const char *name = irl__flow_declared_between(at.at[q->level], at.child[q->level + 1] + 1,
                                                  user.child[q->level + 1], user.at[q->level + 1]);
    return !name || irl__refuse(s, "'%N' uses '%s', which is declared after the statement that "
                                "writes '%B'", name, q->b.buffer);
}

/* In g the maker writes already what the user will not: nothing between them may see that, nor the
   maker itself what it reads. */
static int irl__inline_is_early(irl__sched *s, const irl__inline *q, const irl_func *g)
{
    irl__accesses t;
    irl__meeting  m;
    irl__place    at, user;
    irl__ptr_map  places;
    if (!irl__place_of(g->body, irl__place_last(&q->maker.p)->id, &at) ||
        !irl__place_of(g->body, irl__place_last(&q->user.p)->id, &user) ||
        !irl__place_all(s->cx, &at, &places) || !irl__accesses_of(&t, g, at.at[q->span]))
        return 0;
    int from = at.child[q->level + 1];
    int to = user.child[q->level + 1];
    if (from >= to)
        return irl__refuse(s, "'%B' is after '%N', which reads it", q->b.buffer);
    const irl_stmt *made = irl__place_last(&at);
    const irl_stmt *used = irl__place_last(&user);
    const irl__flow_set of_maker = irl__flow_set_of(&t, IRL__ROWS_ALL, made, NULL, NULL);
    const irl__flow_set others = irl__flow_set_of(&t, IRL__ROWS_ALL, NULL, used, NULL);
    IRL__FLOW_EACH(a, of_maker) {
        if (a->place == made || !irl__inline_is_users(&t, q, used, a)) continue;
        IRL__FLOW_EACH(b, others) {
            const int          own = irl__access_in(b, made);
            if ((!irl__access_writes(a) && !irl__access_writes(b)) ||
                irl__access_alias(&t, a, b) == IRL_NO)
                continue;
            if (own && (!irl__flow_is_write(a) || irl__flow_is_write(b) || b->of_pair >= 0))
                continue;
            int child = own ? from : irl__place_child(&at, &places, b->place, q->level);
            if (!own && !q->is_looped && (child < from || child > to)) continue;
            if (irl__flow_meets(&t, a, b, own, &m) != IRL_NO)
                return irl__refuse_meeting(s, &t, &m, "it would be written or read too early",
                                           NULL);
        }
    }
    return 1;
}

/* Where the user's target is a temporary that is declared behind the maker, it takes the place of
   the one that goes. */
static int irl__inline_target(irl__sched *s, const irl__inline *q, const irl_func **g)
{
    const irl_buffer *y = q->user.store->u.store.buffer;
    irl__flow_buffer  found;
    irl__place        at;
    if (irl__func_param_of(s->f, y->data) >= 0) return 1;
    if (!irl__flow_temporary(s, &s->args[0], y, &found)) return 0;
    if (found.scope.count <= q->level + 1 &&
        q->maker.p.at[found.scope.count - 1] == irl__place_last(&found.scope) &&
        (irl__place_last(&found.scope)->kind != IRL__SEQ ||
         found.from < q->maker.p.child[found.scope.count]))
        return 1;
    if (found.scope.count != q->b.scope.count ||
        irl__place_last(&found.scope) != q->b.scope.at[found.scope.count - 1] ||
        irl__place_last(&found.scope)->kind != IRL__SEQ)
        return irl__refuse(s, "'%B' is declared where '%s' is not computed yet", y,
                           q->b.buffer->name);
    /* the declaration moves to the front of the sequence */
    *g = irl__flow_undeclared(s, *g, y);
    if (!*g || !irl__place_of(((*g)->body), irl__place_last(&q->maker.p)->id, &at)) return 0;
    const irl_stmt *alloc = irl_stmt_alloc(s->cx, y), *seq = at.at[found.scope.count - 1];
    if (seq->kind != IRL__SEQ) return 0;
    *g = irl__place_put(*g, &at, found.scope.count - 1,
                        irl__seq_replace(s->cx, seq, 0, 0, 1, &alloc));
    return *g != NULL;
}

static int irl__inline_is_load(const irl_expr *e, const void *buffer)
{
    return e->flags & IRL__HAS_MEMORY ? e->op == IRL_OP_LOAD && e->u.buffer == buffer : -1;
}

/* Behind a choice the temporary is not read in each iteration, yet each one writes. */
static int irl__inline_is_choice(const irl_expr *e, const void *buffer)
{
    if (!(e->flags & IRL__HAS_MEMORY)) return -1;
    for (uint32_t k = 1; irl__expr_is_lazy(e) && k < e->count; k++)
        if (irl__expr_any(e->a[k], irl__inline_is_load, buffer)) return 1;
    return 0;
}

static int irl__inline_reverse_read(irl__sched *s, irl__inline *q)
{
    const irl__arg   *arg = &s->args[0];
    const irl_expr   *missing;
    if (!irl__flow_unit_of(s, &q->user)) return 0;
    if (q->user.block && q->user.block->init)
        return irl__refuse_at(s, arg->loc, "'%s' is a reduction, with init", q->user.block->name);
    if (!q->user.store) return irl__inline_refuse_stores(s, arg);
    if (!irl__inline_store_is_scalar(q->user.store))
        return irl__refuse_at(s, arg->loc, "'%s' computes several lanes, or calls a function",
                              arg->name);
    if (!irl__inline_find_makers(s, arg, q) || !irl__inline_take_maker(s, q, 0) ||
        !irl__flow_is_begun(s, &q->b))
        return 0;
    const irl_buffer *y = q->user.store->u.store.buffer;
    IRL__EACH_ROW(r, &q->b.t)
        if (r->place == q->user.store && r->kind == IRL__ACCESS_READ &&
            r->memory == y->data)
            return irl__refuse_at(s, arg->loc, "'%s' reads '%B', which it writes", arg->name, y);
    if (!irl__flow_bounds_are_named(s, &q->user.p, q->b.scope.count) ||
        !irl__flow_axes(s, &q->user, q->b.scope.count - 1) || !irl__inline_level(s, q) ||
        !irl__inline_is_closed(s, arg, q, &q->user))
        return 0;
    const irl_expr *const *indices = q->inv.indices;
    if (!irl__flow_invert(s, &q->user, q->b.buffer->rank, q->b.buffer->shape, indices, &q->inv,
                          &missing))
        return 0;
    if (missing)
        return irl__refuse_at(s, arg->loc, "the indices of '%B' do not determine '%s'", q->b.buffer,
                              missing->u.name);
    if (q->user.block && !irl__flow_covers(s, &q->user, q->b.scope.count, q->user.min,
                                           q->user.extent, NULL, &q->user.guard))
        return irl__refuse_at(s, arg->loc, "as far as is known, '%s' does not reach each point of "
                              "its axes", arg->name);
    if (irl__expr_any(q->user.store->u.store.value, irl__inline_is_choice, q->b.buffer))
        return irl__refuse_at(s, arg->loc, "'%s' reads '%B' in some iterations and writes it in "
                              "all", arg->name, q->b.buffer);
    return 1;
}

/* The maker that is looked at: its store, and what stands in the way. */
static int irl__inline_reverse_maker(irl__sched *s, irl__inline *q, int is_copy)
{
    const irl__arg *arg = &s->args[0];
    if (!irl__inline_read_maker(s, q) || !irl__inline_level(s, q) ||
        !irl__flow_is_of_item(s, &q->b.t, &q->user.p, q->level, q->b.buffer) ||
        !irl__flow_waits_for_none(s, &q->b.t, &q->user.p, q->level,
                                  irl__inline_child(q, irl__place_last(&q->maker.p)),
                                  irl__inline_child(q, q->user.store), &q->b.buffer, 1) ||
        !irl__inline_is_visible(s, arg, q, &q->user) || !irl__inline_once(s, q))
        return 0;
    return q->maker.store || (is_copy && q->maker_count == 1) ||
           irl__refuse(s, "what is written to '%B' is not final there, and '%s' computes with it",
                       q->b.buffer, arg->name);
}

/* Does each instance of the user become that of the maker which has the same place in its nest? */
static int irl__inline_keeps_order(irl__sched *s, const irl__inline *q)
{
    const irl__flow_unit *maker = &q->maker, *user = &q->user;
    const irl__flow_unit *units[2];
    irl__analyzer        *an = irl__analyzer_begin(s->cx);
    units[0] = maker;
    units[1] = user;
    if (!an || q->maker_count != 1 || !maker->store || maker->block || user->block ||
        maker->count != user->count)
        return 0;
    for (int j = 0; j < 2; j++)
        for (int k = q->b.scope.count; k < units[j]->p.count; k++)
            if (irl__stmt_is_parallel(units[j]->p.at[k])) return 0;
    for (int k = 0; k < user->count; k++) {
        const irl_expr *at = irl__substitute(s->cx, q->inv.out[k], q->inv.rank, q->inv.y,
                                             maker->store->u.store.indices);
        if (at) at = irl__canonical(an, irl__sub(s->cx, at, maker->var[k]));
        if (!at || at->op != IRL_OP_INT) return 0;
    }
    return 1;
}

/* Does instance after instance of the user store to cells of its own, in one run of what holds it
   and its makers? NO, or the meeting. A block promises it along its spatial axes. */
static irl_answer irl__inline_overwrites(irl__inline *q, irl__meeting *m)
{
    const irl__flow_set stores = irl__flow_set_of(&q->b.t, IRL__ROWS_STORE, NULL, NULL,
                                                  q->user.store->u.store.buffer);
    const irl__access  *w = NULL;
    int                 reduces = !q->user.block;
    do w = irl__flow_next(&stores, w);
    while (w && w->place != q->user.store);
    for (int k = 0; q->user.block && k < q->user.block->axis_count; k++)
        reduces |= q->user.block->axes[k].is_reduction;
    if (!w || !reduces) return IRL_NO;
    memset(m, 0, sizeof *m);
    m->a = m->b = w;
    m->answer = IRL_UNKNOWN;
    const irl__flow_order order = { &q->user.p, q->level, IRL__BEFORE, 0, 0 };
    irl__pair            *p = irl__pair_begin(&q->b.t, w, w, IRL__PAIR_STEPS);
    return p ? irl__flow_ordered(p, &order, 0, NULL, NULL, NULL, m) : m->answer;
}

/* Is a cell that is computed with final: does no maker write one that it, or another, wrote? */
static irl_answer irl__inline_rewrites(irl__inline *q, irl__meeting *m)
{
    const irl__flow_set w = irl__flow_set_of(&q->b.t, IRL__ROWS_STORE, NULL, NULL, q->b.buffer);
    IRL__FLOW_PAIRS(a, b, w, w)
        if (irl__flow_meets(&q->b.t, a, b, 1, m) != IRL_NO) return m->answer;
    return IRL_NO;
}

/* The makers write in their order, and what is not final too: nobody may see that in the end. */
static int irl__inline_stays(irl__sched *s, irl__inline *q, const irl_expr *value)
{
    irl__meeting m;
    if (irl__inline_overwrites(q, &m) != IRL_NO && !irl__inline_keeps_order(s, q))
        return irl__refuse_meeting(s, &q->b.t, &m, "some elements are stored twice, and would be "
                                   "stored in another order", NULL);
    if (irl__flow_may_fail(value) && irl__inline_rewrites(q, &m) != IRL_NO)
        return irl__refuse_meeting(s, &q->b.t, &m, "it could fail with a value that is not final",
                                   NULL);
    return irl__ok(s->cx);
}

/* g, in which the maker writes what the user would. */
static const irl_func *irl__inline_reverse_put(irl__inline_swap *w, const irl_func *g)
{
    irl__rewriter   r = irl__rewriter_make(w->s->cx, w, irl__inline_load_hook,
                                           irl__inline_store_hook);
    irl__place at;
    if (!irl__place_of(g->body, irl__place_last(&w->q->maker.p)->id, &at)) return NULL;
    const irl_stmt *now = irl__rewrite_stmt(&r, irl__place_last(&at));
    if (now) now = irl__inline_where(w->s, now);
    return irl__place_put(g, &at, at.count - 1, now);
}

/* Does a maker read what it writes? */
static int irl__inline_reduces(const irl__inline *q)
{
    IRL__EACH_ROW(a, &q->b.t)
        if (a->kind == IRL__ACCESS_UPDATE && a->memory == q->b.buffer->data) return 1;
    return 0;
}

/* The maker is to write the user's target, of which it is asked here: a sum adds up what it reads
   while it writes. Calls keep their number and order, and neither block does. */
static int irl__inline_may_write(irl__sched *s, const irl__inline *q, const irl_buffer *target)
{
    const int reduces = irl__inline_reduces(q);
    IRL__EACH_ROW(a, &q->b.t) {
        if (a->is_declared || !irl__access_in(a, irl__place_last(&q->maker.p))) continue;
        if (reduces && a->kind == IRL__ACCESS_READ && a->memory == target->data)
            return irl__refuse(s, "the sum reads '%B', which it would write", target);
        if (irl__access_writes(a) && a->memory != q->b.buffer->data)
            return irl__refuse(s, "the statement that computes '%B' also writes other memory",
                               q->b.buffer);
    }
    return irl__flow_keeps_calls(s, irl__place_last(&q->maker.p)) &&
           irl__flow_keeps_calls(s, irl__place_last(&q->user.p));
}

/* A block promises that instances along a spatial axis write cells of their own; the user's target,
   a ring for one, may have one for several. */
static int irl__inline_keeps_axes(irl__sched *s, irl__inline *q, const irl_func *g)
{
    irl__accesses t;
    irl__meeting  m;
    irl__place    p;
    if (!irl__accesses_of(&t, g, NULL)) return 0;
    for (int k = 0; k < q->maker_count; k++) {
        if (!irl__inline_take_maker(s, q, k)) return 0;
        if (!q->maker.block) continue;
        if (!irl__place_of(g->body, irl__place_last(&q->maker.p)->id, &p)) return 0;
        const irl__around *node = irl__block_of(&t, irl__place_last(&p));
        for (int axis = 0; node && axis < q->maker.block->axis_count; axis++)
            if (!q->maker.block->axes[axis].is_reduction &&
                irl__axis_collides(&t, node, axis, &m) == IRL_YES)
                return irl__refuse_meeting(s, &t, &m, "instances of the block that it becomes a "
                                           "part of would write one element", NULL);
    }
    return irl__ok(s->cx);
}

/* In one kernel: what each work-item has for itself is stored to by those that did, and what all
   see by no more of them. */
static int irl__inline_keeps_items(irl__sched *s, const irl__inline *q, const irl_buffer *target)
{
    const irl__place *user = &q->user.p, *maker = &q->maker.p;
    const int         level = irl__flow_common(user, maker);
    const int         top = irl__place_kernel(user, level + 1);
    const uint32_t    of = irl__flow_bound_axes(user, level);
    const uint32_t    at = irl__flow_bound_axes(maker, level);
    const int         is_own = top <= level && irl__flow_is_private(user->at[top], target);
    return top > level || !(is_own ? at & ~of : of & ~at) ||
           irl__refuse(s, "'%B' would be stored by other work-items than before", target);
}

int irl__do_reverse_compute_inline(irl__sched *s)
{
    irl__inline      q;
    const irl_func  *g;
    int              k;
    memset(&q, 0, sizeof q);
    if (!irl__inline_reverse_read(s, &q)) return 0;
    irl__inline_swap w = { &q, s, NULL, q.user.store->u.store.buffer,
                           q.user.store->u.store.indices, NULL };
    const irl_expr *value = q.user.store->u.store.value;
    int             is_copy = value->op == IRL_OP_LOAD && value->u.buffer == q.b.buffer;
    if (!is_copy) w.value = value;
    if (is_copy && irl__bitfield_is_narrow(w.target) && !irl__inline_keeps(w.target, q.b.buffer) &&
        irl__inline_reduces(&q))
        return irl__refuse(s, "'%B' keeps %d bits of a value, and '%s', which reads its own "
                           "earlier values, another number", w.target, w.target->bits,
                           q.b.buffer->name);
    for (g = s->f, k = 0; g && k < q.maker_count; k++)
        g = irl__inline_take_maker(s, &q, k) && irl__inline_keeps_items(s, &q, w.target) &&
                    irl__inline_may_write(s, &q, w.target) &&
                    irl__inline_reverse_maker(s, &q, is_copy)
                ? irl__inline_reverse_put(&w, g)
                : NULL;
    if (g && !irl__inline_stays(s, &q, value)) return 0;
    if (!g || !irl__inline_take_maker(s, &q, 0) || !irl__inline_target(s, &q, &g) ||
        !irl__inline_is_declared(s, &q, g))
        return 0;
    for (k = q.maker_count; k-- > 0;)
        if (!irl__inline_take_maker(s, &q, k) || !irl__inline_is_early(s, &q, g)) return 0;
    irl_func *now = irl__inline_finish(s, &q, g, &q.user);
    return now && irl__inline_keeps_axes(s, &q, now) && irl__sched_become(s, now);
}
