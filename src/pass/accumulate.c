/* accumulate.c - keeps a sum in a variable until it is stored: code that only the first iteration
   of a loop runs is moved before the loop, and an element that a loop updates is kept in a
   variable.

   requires  flatten, unroll and registers before it: indices and variables are what they will be
   maintains what is computed, in its order
   breaks    conditions that are true only in the first iteration; stores of an element in each
             iteration become one store after the loop
   cost      for each loop linear in the accesses inside, and a proof for each condition there

       for (k: n) { if (k == 0) c[i] = 0; c[i] = c[i] + a[k]; }

   becomes { c[i] = 0; for (k: n) c[i] = c[i] + a[k]; } and then, with a variable sum of rank 0, {
   sum = 0; for (k: n) sum = sum + a[k]; c[i] = sum; }. A compiler does this only where it knows
   that nothing else is c[i]. */
#include "pass.h"

enum {
    IRL__ACCUMULATE_MOST = 256, /* variables of one loop; registers.c makes as many of an array */
    IRL__ACCUMULATE_LOOPS = IRL__HOLDS_LOOP << IRL_SERIAL | IRL__HOLDS_UNROLLED,
    /* what others see, or leave the function at: stores do not move past it */
    IRL__ACCUMULATE_NOT = 1 << IRL__BARRIER | 1 << IRL__ASSERT | 1 << IRL__EVALUATE |
                          1 << IRL__LAUNCH
};

/* An element, or a run of them, that a loop updates. */
typedef struct irl__accumulated {
    const irl_expr   *load;
    const irl_buffer *variable;
    const irl__around *node;   /* the loop */
    int               loop;    /* where the loop stands in its sequence */
    int               init;    /* where it is stored before; -1: nowhere, it is loaded */
    int               is_read; /* before it is written */
    int               is_held; /* in the loop, while that is rewritten */
} irl__accumulated;

typedef struct irl__accumulate {
    irl_ctx       *cx;
    irl__analyzer *an;
    irl__accesses  t;
    irl__ptr_map   inside; /* variables and buffers declared in the loop in question */
    irl__ptr_map   held;   /* load -> the last irl__accumulated of it */
} irl__accumulate;

/* ------------------------------------------------------------------ the first iteration */

/* May `early`, which writes `memory`, be done before s? */
static int irl__accumulate_passes(const irl_stmt *early, const irl_stmt *s)
{
    const irl_stmt *store = early->u.branch.then_;
    if (s->kind == IRL__LET)
        return !(s->u.let.value->flags & IRL__HAS_MEMORY) &&
               !irl__stmt_names(early, s->u.let.var, NULL);
    return store->kind == IRL__STORE && store->u.store.buffer->scope == IRL_SCOPE_LOCAL &&
           !(store->u.store.value->flags & IRL__HAS_MEMORY) && s->kind != IRL__ALLOC &&
           s->kind != IRL__DECL && s->kind != IRL__BARRIER && s->kind != IRL__ASSERT &&
           s->kind != IRL__ASSUME && !irl__stmt_names(s, store->u.store.buffer->data, NULL);
}

/* Is s a choice that the first iteration alone makes, and may it come before the statements in
   front of it? The loop's variable is bound to the other iterations. */
static int irl__accumulate_is_first(irl__accumulate *a, const irl_stmt *s,
                                    const irl_stmt **in_front)
{
    if (s->kind != IRL__IF || s->u.branch.else_) return 0;
    const irl_expr *condition = s->u.branch.condition;
    if (condition->flags & IRL__HAS_MEMORY) return 0;
    for (int j = 0; j < (int)stbds_arrlen(in_front); j++)
        if (!irl__accumulate_passes(s, in_front[j])) return 0;
    return irl__prove(a->an, irl_expr_op1(a->cx, IRL_OP_NOT, condition));
}

/* ------------------------------------------------------------------ a tile in the loop */

enum { IRL__ACCUMULATE_TILE = 8 }; /* loops of a tile */

/* for (k: n) for (j: 8) { if (k == 0) c[j] = 0; c[j] = c[j] + ...; }: what is in the loop of k. */
typedef struct irl__accumulate_tile {
    int             count; /* loops */
    irl__given      loops[IRL__ACCUMULATE_TILE];
    const irl_stmt *choice; /* which stores the first value */
} irl__accumulate_tile;

static int irl__accumulate_is_fixed(const irl_expr *e, const irl_expr *var)
{
    return !(e->flags & IRL__HAS_MEMORY) && !irl__expr_uses_var(e, var);
}

/* Down through loops and conditions that are the same in all iterations of the loop of `around`, to
   the choice; the loops are bound. */
static int irl__accumulate_down(irl__accumulate *a, const irl_expr *around, const irl_stmt *s,
                                irl__accumulate_tile *tile)
{
    while (s->kind != IRL__SEQ) {
        if (s->kind == IRL__IF && !s->u.branch.else_ &&
            irl__accumulate_is_fixed(s->u.branch.condition, around)) {
            s = s->u.branch.then_;
            continue;
        }
        if (s->kind != IRL__FOR || s->u.loop.kind == IRL_PARALLEL || s->u.loop.kind == IRL_BOUND ||
            tile->count == IRL__ACCUMULATE_TILE ||
            !irl__accumulate_is_fixed(s->u.loop.min, around) ||
            !irl__accumulate_is_fixed(s->u.loop.extent, around) || !irl__bind_loop(a->an, s))
            return 0;
        tile->loops[tile->count++] =
            irl__given_range(s->u.loop.var, s->u.loop.min, s->u.loop.extent);
        s = s->u.loop.body;
    }
    tile->choice = s->u.seq.count > 1 ? s->u.seq.stmts[0] : NULL;
    return tile->count && tile->choice && irl__accumulate_is_first(a, tile->choice, NULL) &&
           tile->choice->u.branch.then_->kind == IRL__STORE &&
           !irl__undefined_part(a->an, tile->choice->u.branch.condition);
}

/* Does each iteration of the tile touch, of what the choice stores to, an element of its own? */
static int irl__accumulate_is_own(irl__accumulate *a, const irl_stmt *s,
                                  const irl__accumulate_tile *tile)
{
    const irl_stmt   *store = tile->choice->u.branch.then_;
    const irl_buffer *b = store->u.store.buffer;
    irl__accesses     t;
    if (b->rank != 1 || irl__stmt_holds(s, IRL__ACCUMULATE_NOT) ||
        ((store->u.store.value->flags | store->u.store.indices[0]->flags) &
         (IRL__HAS_MEMORY | IRL__HAS_LET)))
        return 0;
    for (int k = 0; k < tile->count; k++)
        if (irl__expr_uses_var(tile->choice->u.branch.condition, tile->loops[k].var) ||
            !irl__recovers(a->cx, store->u.store.indices[0], tile->loops[k].var, tile->count,
                           tile->loops))
            return 0;
    if (!irl__accesses_in(&t, a->cx, s) || t.behind.count) return 0;
    for (int k = 0; k < t.count; k++)
        if (t.list[k].kind == IRL__ACCESS_OPAQUE ||
            (t.list[k].memory == b->data &&
             (t.list[k].buffer != b || t.list[k].indices[0] != store->u.store.indices[0])))
            return 0;
    return 1;
}

/* The tile without the choice; or with the store of the choice alone, in loops of their own. */
static const irl_stmt *irl__accumulate_part(irl_ctx *cx, const irl_stmt *s, int is_first)
{
    if (s->kind == IRL__SEQ)
        return is_first ? s->u.seq.stmts[0]->u.branch.then_
                        : irl__stmt_seq(cx, s->u.seq.count - 1, s->u.seq.stmts + 1);
    const irl_stmt *inside = irl__accumulate_part(
        cx, s->kind == IRL__IF ? s->u.branch.then_ : s->u.loop.body, is_first);
    if (!inside) return NULL;
    if (s->kind == IRL__IF) return irl_stmt_if(cx, s->u.branch.condition, inside, NULL);
    if (!is_first) return irl__stmt_loop_of(cx, s, inside);
    const irl_expr *old = s->u.loop.var, *var = irl_expr_var(cx, old->u.name, old->type);
    return irl__stmt_loop_new(cx, s, 1, var, s->u.loop.min, s->u.loop.extent,
                              var ? irl__substitute_stmt(cx, inside, 1, &old, &var) : NULL);
}

/* Cuts a tile in which each iteration stores its own first value before it computes: the choice
   around all these stores, and what is left of the tile. False: it is no such tile. */
static int irl__accumulate_cut(irl__accumulate *a, const irl_expr *around, const irl_stmt *s,
                               const irl_stmt **choice, const irl_stmt **left)
{
    const int            mark = irl__bindings_mark(a->an);
    irl__accumulate_tile tile;
    memset(&tile, 0, sizeof tile);
    const int is_cut = s->kind == IRL__FOR && irl__accumulate_down(a, around, s, &tile) &&
                       irl__accumulate_is_own(a, s, &tile);
    irl__bindings_release(a->an, mark);
    if (!is_cut) return 0;
    const irl_stmt *stores = irl__accumulate_part(a->cx, s, 1);
    *choice = irl_stmt_if(a->cx, tile.choice->u.branch.condition, stores, NULL);
    const irl_stmt *rest = irl__accumulate_part(a->cx, s, 0);
    if (*choice && rest) *left = rest;
    return *choice && rest;
}

/* ------------------------------------------------------------------ the loop around it */

/* What the first iteration does, before the loop. */
static const irl_stmt *irl__accumulate_before(irl__accumulate *a, const irl_stmt *loop,
                                              const irl_stmt *choice)
{
    const irl_stmt *at =
        irl__substitute_stmt(a->cx, choice, 1, &loop->u.loop.var, &loop->u.loop.min);
    const irl_expr *condition = at ? irl__simplify(a->an, at->u.branch.condition) : NULL;
    if (!condition) return NULL;
    return irl__prove(a->an, condition)
               ? at->u.branch.then_
               : irl_stmt_if(a->cx, condition, at->u.branch.then_, NULL);
}

/* A loop without what its first iteration alone does, after that: where it runs, if that is not
   known. */
static const irl_stmt *irl__accumulate_split(irl__accumulate *a, const irl_stmt *loop)
{
    irl_ctx         *cx = a->cx;
    const irl_expr  *one = irl_expr_index(cx, 1), *extent = loop->u.loop.extent;
    const int        mark = irl__bindings_mark(a->an);
    const irl_stmt **early = NULL, **rest = NULL;
    if (!irl__bind_extent(a->an, loop->u.loop.var, irl__add(cx, loop->u.loop.min, one),
                          irl__sub(cx, extent, one)))
        return NULL;
    for (int k = 0; k < irl__stmt_count(loop->u.loop.body); k++) {
        const irl_stmt *part = irl__stmt_at(loop->u.loop.body, k), *choice;
        if (!rest && irl__accumulate_cut(a, loop->u.loop.var, part, &choice, &part)
                ? !IRL__PUSH(cx, early, choice) || !IRL__PUSH(cx, rest, part)
            : irl__accumulate_is_first(a, part, rest) ? !IRL__PUSH(cx, early, part)
                                                      : !IRL__PUSH(cx, rest, part))
            return NULL;
    }
    irl__bindings_release(a->an, mark);
    if (!early) return loop;
    for (int k = 0; k < (int)stbds_arrlen(early); k++) {
        early[k] = irl__accumulate_before(a, loop, early[k]);
        if (!early[k]) return NULL;
    }
    const irl_stmt *now =
        irl__stmt_loop_of(cx, loop, irl__stmt_seq(cx, (int)stbds_arrlen(rest), rest));
    if (!now || !IRL__PUSH(cx, early, now)) return NULL;
    now = irl__stmt_seq(cx, (int)stbds_arrlen(early), early);
    const irl_expr *runs = irl_expr_op2(cx, IRL_OP_GT, extent, irl_expr_index(cx, 0));
    return runs && now && !irl__prove(a->an, runs) ? irl_stmt_if(cx, runs, now, NULL) : now;
}

static const irl_stmt *irl__accumulate_apart(irl__accumulate *a, const irl_stmt *loop)
{
    if (irl__stmt_is_parallel(loop) || !irl__stmt_holds(loop, 1 << IRL__IF)) return loop;
    /* a choice alone that is the same for all iterations */
    const irl_stmt *choice = loop->u.loop.body;
    if (choice->kind != IRL__IF || choice->u.branch.else_ ||
        !irl__accumulate_is_fixed(choice->u.branch.condition, loop->u.loop.var) ||
        irl__undefined_part(a->an, choice->u.branch.condition))
        return irl__accumulate_split(a, loop);
    const irl_stmt *inside = irl__stmt_loop_of(a->cx, loop, choice->u.branch.then_);
    inside = inside ? irl__accumulate_apart(a, inside) : NULL;
    return irl_stmt_if(a->cx, choice->u.branch.condition, inside, NULL);
}

static const irl_stmt *irl__accumulate_first(irl__rewriter *r, const irl_stmt *s)
{
    irl__accumulate *a = (irl__accumulate *)r->user;
    if (!irl__stmt_holds(s, 1 << IRL__IF) || !irl__stmt_holds(s, IRL__ACCUMULATE_LOOPS)) return s;
    if (s->kind != IRL__FOR) return irl__rewrite_stmt_children(r, s);
    s = irl__rewrite_known(r, a->an, s);
    return s ? irl__accumulate_apart(a, s) : NULL;
}

/* ------------------------------------------------------------------ elements of a loop */

/* Does the access happen in every iteration of the loop, and of those between? */
static int irl__accumulate_always(const irl__access *access, const irl__around *loop)
{
    for (const irl__around *n = access->around; n != loop; n = n->outer)
        if (n->kind == IRL__AROUND_GUARD ||
            (n->kind == IRL__AROUND_LOOP && !irl__stmt_loop_runs(n->stmt)))
            return 0;
    return irl__stmt_loop_runs(loop->stmt);
}

/* Is a variable bound inside of the loop? */
static int irl__accumulate_varies(const irl_expr *e, const void *user)
{
    const irl__accumulate *a = (const irl__accumulate *)user;
    return e->op == IRL_OP_VAR && irl__ptr_map_get(&a->inside, e) != NULL;
}

/* The run of elements that an index names: its first, as a number more than *base. False: it is no
   run. */
static int irl__accumulate_run(const irl_expr *index, const irl_expr **base, int64_t *start)
{
    if (index->op == IRL_OP_RAMP && irl__is_int(index->a[1], 1)) index = index->a[0];
    *start = index->op == IRL_OP_INT ? index->u.i : 0;
    *base = index->op == IRL_OP_INT ? NULL : irl__expr_base(index, start);
    return index->type.lanes == 1;
}

/* Do two indices of a buffer name one run of elements (1), different ones (0), or is it not known
   (-1)? */
static int irl__accumulate_meet(const irl_expr *x, const irl_expr *y)
{
    const irl_expr *base, *other;
    int64_t         start, from, end;
    if (x == y) return 1;
    if (!irl__accumulate_run(x, &base, &start) || !irl__accumulate_run(y, &other, &from) ||
        base != other)
        return -1;
    if (start > from) return irl__accumulate_meet(y, x);
    return irl__add64(start, x->type.lanes, &end) && end <= from ? 0 : -1;
}

/* The element that a row of the loop writes, if it can be held in a variable: all that the loop
   touches of the memory is this element, or proved to be another one. 1: even where nothing stores
   it before the loop, as every iteration does, and what happens first is certain; -1: not then. An
   element that is never read, and not stored by every iteration, stays in memory: a branch that is
   seldom taken costs less than a choice in each iteration. */
static int irl__accumulate_weigh(const irl__accumulate *a, const irl__around *loop,
                                 const irl__access *own, irl__accumulated *out)
{
    const irl_buffer *b = own->buffer;
    int               first = -1, always = 0, reads = 0;
    if (b->scope == IRL_SCOPE_CONSTANT || !irl__buffer_is_flat(b) ||
        irl__type_is_storage(b->type) ||
        irl__ptr_map_get(&a->inside, b) ||
        (own->indices[0]->flags & (IRL__HAS_MEMORY | IRL__HAS_LET)) ||
        irl__expr_any(own->indices[0], irl__accumulate_varies, a))
        return 0;
    for (int k = loop->first; k < loop->end; k++) {
        const irl__access *other = &a->t.list[k];
        if (other->memory != own->memory) continue;
        const int meets =
            other->buffer == b ? irl__accumulate_meet(own->indices[0], other->indices[0]) : -1;
        if (meets < 0) return 0;
        if (!meets) continue;
        if (first < 0) first = k;
        always |= irl__access_writes(other) && irl__accumulate_always(other, loop);
        reads |= other->kind != IRL__ACCESS_WRITE;
    }
    out->is_read = !irl__access_writes(&a->t.list[first]);
    if (!always && !reads) return 0;
    return always && irl__accumulate_always(&a->t.list[first], loop) ? 1 : -1;
}

/* Does a statement leave the element alone? */
static int irl__accumulate_leaves(const irl_expr *load, const irl_stmt *s)
{
    const irl_buffer *b = load->u.buffer;
    if (irl__stmt_holds(s, IRL__ACCUMULATE_NOT)) return 0;
    if (!irl__stmt_names(s, b->data, NULL)) return 1;
    return s->kind == IRL__STORE && s->u.store.buffer == b &&
           !irl__accumulate_meet(s->u.store.indices[0], load->a[0]) &&
           !irl__expr_reads(s->u.store.indices[0], b->data) &&
           !irl__expr_reads(s->u.store.value, b->data);
}

/* The place in the sequence where the element is stored before its loop, and after which nothing
   else touches it; -1: there is none. */
static int irl__accumulate_init(const irl__accumulated *e, const irl_stmt *seq)
{
    for (int k = e->loop; k-- > 0;) {
        const irl_stmt *s = irl__stmt_at(seq, k);
        if (s->kind == IRL__STORE && s->u.store.buffer == e->load->u.buffer &&
            s->u.store.indices[0] == e->load->a[0])
            return k;
        if (!irl__accumulate_leaves(e->load, s)) return -1;
    }
    return -1;
}

/* A variable for an element. */
static int irl__accumulate_declare(irl__accumulate *a, irl__accumulated *e, const irl_expr *memory)
{
    const irl_buffer *b = e->load->u.buffer;
    const irl_buffer *owner = (const irl_buffer *)irl__ptr_map_get(&a->t.owner, memory);
    irl__text         text;
    char              name[128];
    irl__text_init_fixed(&text, name, sizeof name);
    irl__textf(&text, "%s_value", (owner ? owner : b)->name);
    e->variable =
        irl__buffer_make(a->cx, name, e->load->type, IRL_SCOPE_LOCAL, 0, NULL, NULL, b->loc);
    return e->variable != NULL;
}

static irl__accumulated *irl__accumulate_held(const irl__accumulate *a, const irl_expr *load)
{
    irl__accumulated *e = (irl__accumulated *)irl__ptr_map_get(&a->held, load);
    return e && e->is_held ? e : NULL;
}

/* Is it known, for a loop, what its iterations touch, and does one work-item do them in order? */
static int irl__accumulate_is_open(const irl__accumulate *a, const irl__around *loop)
{
    if (!loop || irl__stmt_is_parallel(loop->stmt) ||
        irl__stmt_holds(loop->stmt, IRL__ACCUMULATE_NOT | IRL__HOLDS_PARALLEL | IRL__HOLDS_BOUND))
        return 0;
    for (int k = loop->first; k < loop->end; k++)
        if (a->t.list[k].kind == IRL__ACCESS_OPAQUE || a->t.list[k].is_texel) return 0;
    return 1;
}

/* The elements that the loop, statement `at` of the sequence, is to hold in variables are added to
   the list. */
static int irl__accumulate_add(irl__accumulate *a, const irl_stmt *seq, int at,
                               irl__accumulated ***list)
{
    const irl_stmt    *loop = irl__stmt_at(seq, at);
    const irl__around *node = irl__loop_of(&a->t, loop);
    if (!irl__accumulate_is_open(a, node)) return 1;
    memset(&a->inside, 0, sizeof a->inside);
    if (!irl__stmt_declared(a->cx, loop, &a->inside)) return 0;
    const int most = (int)stbds_arrlen(*list) + IRL__ACCUMULATE_MOST;
    for (int k = node->first; k < node->end && (int)stbds_arrlen(*list) < most; k++) {
        const irl__access *row = &a->t.list[k];
        irl__accumulated   made;
        memset(&made, 0, sizeof made);
        made.loop = at;
        made.node = node;
        if (row->rank != 1 || !irl__access_writes(row)) continue;
        made.load = irl__expr_load(a->cx, row->buffer, 1, row->indices, irl__nowhere());
        if (!made.load) return 0;
        const irl__accumulated *known =
            (const irl__accumulated *)irl__ptr_map_get(&a->held, made.load);
        if (known && (known->is_held || known->node == node)) continue;
        const int fits = irl__accumulate_weigh(a, node, row, &made);
        made.init = fits ? irl__accumulate_init(&made, seq) : -1;
        if (!fits || (fits < 0 && made.init < 0)) continue;
        irl__accumulated *e =
            irl__accumulate_declare(a, &made, row->memory)
                ? IRL__SCRATCH(a->cx, irl__accumulated, 1)
                : NULL;
        if (e) *e = made;
        if (!e || !irl__ptr_map_put(a->cx, &a->held, made.load, e) ||
            !IRL__PUSH_SCRATCH(a->cx, *list, e))
            return 0;
    }
    return 1;
}

/* ------------------------------------------------------------------ the function again */

static const irl_expr *irl__accumulate_expr(irl__rewriter *r, const irl_expr *e)
{
    return !((const irl__accumulate *)r->user)->held.count || !(e->flags & IRL__HAS_MEMORY)
               ? e
               : irl__rewrite_expr_children(r, e);
}

/* The variable of an element that a loop around holds in it. */
static const irl_buffer *irl__accumulate_access(irl__rewriter *r, const irl_buffer *b,
                                                const irl_expr **indices)
{
    if (b->rank != 1 || !((const irl__accumulate *)r->user)->held.count) return b;
    const irl_expr         *load = irl__expr_load(r->cx, b, 1, indices, irl__nowhere());
    const irl__accumulated *held =
        load ? irl__accumulate_held((const irl__accumulate *)r->user, load) : NULL;
    return held ? held->variable : load ? b : NULL;
}

/* A store of the value into the variable of an element. */
static const irl_stmt *irl__accumulate_set(irl_ctx *cx, const irl__accumulated *e,
                                           const irl_expr *value, irl_loc loc)
{
    return irl__stmt_store(cx, e->variable, value, 0, NULL, loc);
}

/* The loop at the end of the list, after the loads and before the stores of its elements. */
static int irl__accumulate_loop(irl__rewriter *r, const irl_stmt *loop, int at,
                                irl__accumulated **elements, const irl_stmt ***list)
{
    irl_ctx *cx = r->cx;
    for (int k = 0; k < (int)stbds_arrlen(elements); k++) {
        irl__accumulated *e = elements[k];
        if (e->loop != at) continue;
        if (e->init < 0 && !IRL__PUSH(cx, *list, irl_stmt_alloc(cx, e->variable))) return 0;
        if (e->init < 0 && e->is_read &&
            !IRL__PUSH(cx, *list, irl__accumulate_set(cx, e, e->load, loop->loc)))
            return 0;
        e->is_held = 1;
        if (!irl__ptr_map_put(cx, &((irl__accumulate *)r->user)->held, e->load, e)) return 0;
    }
    if (!IRL__PUSH(cx, *list, irl__rewrite_stmt_children(r, loop))) return 0;
    for (int k = 0; k < (int)stbds_arrlen(elements); k++) {
        irl__accumulated *e = elements[k];
        if (e->loop != at) continue;
        e->is_held = 0;
        if (!IRL__PUSH(cx, *list,
                       irl__stmt_store(cx, e->load->u.buffer,
                                       irl__expr_load(cx, e->variable, 0, NULL, irl__nowhere()), 1,
                                       e->load->a, loop->loc)))
            return 0;
    }
    return 1;
}

/* The statements of a sequence, or one loop. */
static const irl_stmt *irl__accumulate_seq(irl__rewriter *r, const irl_stmt *s)
{
    irl__accumulate   *a = (irl__accumulate *)r->user;
    irl__accumulated **elements = NULL;
    const irl_stmt   **list = NULL;
    int                changed = 0;
    for (int k = 0; k < irl__stmt_count(s); k++)
        if (irl__stmt_at(s, k)->kind == IRL__FOR && !irl__accumulate_add(a, s, k, &elements))
            return NULL;
    if (!elements && s->kind == IRL__FOR) return irl__rewrite_stmt_children(r, s);
    for (int k = 0; k < irl__stmt_count(s); k++) {
        const irl_stmt         *part = irl__stmt_at(s, k);
        const irl__accumulated *e = NULL;
        for (int j = 0; j < (int)stbds_arrlen(elements); j++)
            if (elements[j]->init == k) e = elements[j];
        if (part->kind != IRL__FOR && !e) {
            if (!IRL__PUSH(r->cx, list, irl__rewrite_stmt(r, part))) return NULL;
        } else if (e ? !IRL__PUSH(r->cx, list, irl_stmt_alloc(r->cx, e->variable)) ||
                    !IRL__PUSH(r->cx, list,
                               irl__accumulate_set(r->cx, e,
                                                   irl__rewrite_expr(r, part->u.store.value),
                                                   part->loc))
              : !irl__accumulate_loop(r, part, k, elements, &list))
            return NULL;
        changed |= list[stbds_arrlen(list) - 1] != part;
    }
    return elements || changed ? irl__stmt_seq(r->cx, (int)stbds_arrlen(list), list) : s;
}

static const irl_stmt *irl__accumulate_stmt(irl__rewriter *r, const irl_stmt *s)
{
    const irl__accumulate *a = (const irl__accumulate *)r->user;
    if (!a->held.count && !irl__stmt_holds(s, IRL__ACCUMULATE_LOOPS)) return s;
    return s->kind == IRL__SEQ || s->kind == IRL__FOR ? irl__accumulate_seq(r, s)
                                                      : irl__rewrite_stmt_children(r, s);
}

/* Can there be a loop in s that updates an element? `var` is of the innermost loop around s that
   one work-item runs; NULL: there is none. An index that uses it is of another element each
   time. */
static int irl__accumulate_may(const irl_stmt *s, const irl_expr *var)
{
    if (!irl__stmt_holds(s, 1 << IRL__STORE)) return 0;
    switch (s->kind) {
    case IRL__STORE:
        return var && s->u.store.buffer->rank == 1 &&
               !irl__expr_uses_var(s->u.store.indices[0], var);
    case IRL__FOR:
        return irl__accumulate_may(s->u.loop.body,
                                   irl__stmt_is_parallel(s) ? var : s->u.loop.var);
    case IRL__SEQ:
        for (int k = 0; k < s->u.seq.count; k++)
            if (irl__accumulate_may(s->u.seq.stmts[k], var)) return 1;
        return 0;
    default: return var || irl__stmt_holds(s, IRL__ACCUMULATE_LOOPS);
    }
}

static irl_func *irl__accumulate_elements(irl__accumulate *a, const irl_func *f)
{
    irl__rewriter r =
        irl__rewriter_make(f->cx, a, irl__accumulate_expr, irl__accumulate_stmt);
    r.access = irl__accumulate_access;
    if (!irl__accesses_of(&a->t, f, NULL)) return NULL;
    /* a pointer that is a variable may be to anything */
    return irl__func_with_body(f, a->t.behind.count ? f->body : irl__rewrite_stmt(&r, f->body));
}

irl_func *irl__pass_accumulate(const irl_func *f)
{
    const irl_stmt *body = f->body;
    if (!irl__stmt_holds(body, IRL__ACCUMULATE_LOOPS)) return irl__func_with_body(f, body);
    irl__arena_mark mark = irl__scratch_begin(f->cx);
    irl__accumulate a;
    irl__rewriter   r = irl__rewriter_make(f->cx, &a, irl__rewrite_no_expr, irl__accumulate_first);
    irl_func       *now = NULL;
    memset(&a, 0, sizeof a);
    a.cx = f->cx;
    if (irl__stmt_holds(body, 1 << IRL__IF)) {
        a.an = irl__analyzer_begin(f->cx);
        body = a.an && irl__bind_param_sizes(a.an, f) ? irl__rewrite_stmt(&r, body) : NULL;
    }
    if (body) now = irl__func_with_body(f, body);
    if (now && irl__accumulate_may(body, NULL)) now = irl__accumulate_elements(&a, now);
    irl__scratch_end(f->cx, mark);
    return now;
}
