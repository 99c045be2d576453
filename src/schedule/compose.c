/* compose.c - compose_reduction: loops as a person writes them, as one block with an init.

   needs     infer_kinds.c, which finds the kind of each axis
   promises  the stores run in the order in which they ran. If it is not known, by numbers or by
             assume, that the loops that reduce run at least once, the first store also stays before
             them, because an init runs only in a first iteration; unless nothing reads what it
             stores then

   compose_reduction
   requires  a nest of loops around one store, the update, with a store of the same cell right
             before the loops that reduce:
                 for (i: 64) { y[i] = 0; for (k: 8) y[i] = y[i] + x[i, k]; }
             or without such a store, in loops of which some reduce
   does      makes both one block; the first store becomes its init (without one: y[i] = y[i], the
             sum begins with what memory holds). The block has an axis for each loop around them
             that contains nothing else; decompose_reduction is the reverse. Loops that also contain
             other statements stay where they are, and the block has an axis for each nested loop
             around that changes no bound of another one. The order of the block's sum is free if
             that of the nest was. If a loop that reduces may be empty, the first store stays before
             it, because then no init runs; otherwise the init stores the same again. It does not
             stay if an alloc holds the sums, and all that reads them is in loops of that extent
   refuses   another store before the loops, loops that are bound, vectorized or unrolled, bounds
             that depend on the nest's own loops, a loop that reduces and may be empty where the
             first store reads what it writes, axes whose kind the analysis cannot tell */
#include "schedule.h"

typedef struct irl__compose {
    irl__place      p;              /* of the nest's innermost loop */
    const irl_stmt *update, *init;
    int             is_own;         /* no store is there: the init stores what the cell holds */
    int             top, inner;     /* levels: the outermost loop, the outermost that reduces */
    int             count;          /* of loops that are axes, the innermost first */
    int             own;            /* so many of them hold nothing but the two stores */
    int             is_rest;        /* the others hold more */
    int             keeps;          /* the first store stays in front of the block */
    const irl_stmt *loops[IRL__FLOW_MOST];
    const irl_expr *from[IRL__FLOW_MOST], *to[IRL__FLOW_MOST]; /* variables, by axes */
} irl__compose;

static int irl__compose_uses(const irl_stmt *store, const irl_expr *var)
{
    return irl__exprs_use_var(store->u.store.buffer->rank, store->u.store.indices, var) ||
           irl__expr_uses_var(store->u.store.value, var);
}

static int irl__compose_uses_cell(const irl__compose *c, const irl_stmt *loop)
{
    return irl__exprs_use_var(c->update->u.store.buffer->rank, c->update->u.store.indices,
                              loop->u.loop.var);
}

static int irl__compose_bounds_use(const irl__compose *c, const irl_expr *var)
{
    int k = c->count;
    while (k-- > 0 && !irl__stmt_bounds_use(c->loops[k], var)) {}
    return k >= 0;
}

/* A loop around, if it is to be an axis: of those outside of other statements the ones that the
   stores use, and that do not change the bounds of another one. */
static void irl__compose_loop(irl__compose *c, const irl_stmt *at, int level)
{
    const irl_expr *var = at->u.loop.var;
    if (c->is_rest &&
        ((!irl__compose_uses(c->init, var) && !irl__compose_uses(c->update, var)) ||
         irl__compose_bounds_use(c, var)))
        return;
    c->loops[c->count++] = at;
    if (c->is_rest) return;
    c->own = c->count;
    c->top = level;
    if (!c->init) c->inner = level;
}

/* The loops from the inside out, through the sequence of the init and what follows it. */
static void irl__compose_read(irl__compose *c)
{
    c->top = c->inner = c->p.count - 1;
    for (int level = c->p.count - 1; level >= 0 && c->count < IRL__FLOW_MOST; level--) {
        const irl_stmt *at = c->p.at[level];
        const int       child = c->p.child[level + 1]; /* of a sequence */
        if (at->kind == IRL__FOR &&
            (at->u.loop.kind == IRL_SERIAL || at->u.loop.kind == IRL_PARALLEL))
            irl__compose_loop(c, at, level);
        else if (at->kind == IRL__SEQ && !c->init && child > 0 &&
                 irl__stmt_same_cell(at->u.seq.stmts[child - 1], c->update)) {
            c->init = at->u.seq.stmts[child - 1];
            c->top = level;
            c->is_rest = at->u.seq.count > 2 || c->keeps;
        } else if (c->init && (at->kind == IRL__SEQ || at->kind == IRL__IF)) c->is_rest = 1;
        else return;
    }
}

static int irl__compose_is_local(const irl_expr *e, const void *f)
{
    return e->op == IRL_OP_VAR && irl__func_param_of((const irl_func *)f, e) < 0;
}

/* That the loop runs; NULL: that is known where it stands, or memory is out. What is assumed in
   front of it counts. */
static const irl_expr *irl__compose_may_be_empty(irl__sched *s, const irl_stmt *loop)
{
    irl__accesses   t;
    irl__path       path;
    if (irl__stmt_loop_runs(loop)) return NULL;
    const irl_expr *runs = irl_expr_op2(s->cx, IRL_OP_GE, loop->u.loop.extent,
                                        irl_expr_int(s->cx, loop->u.loop.extent->type, 1));
    if (!runs || !irl__accesses_of(&t, s->f, NULL)) return NULL;
    const irl__around *node = irl__loop_of(&t, loop);
    if (!node || !irl__path_begin(&path, &t) || !irl__path_to(&path, node->outer)) return runs;
    return irl__prove(path.an, runs) ? NULL : runs;
}

/* Nobody sees what memory of an alloc holds where `loop` has no iteration, if all that reads it is
   in loops of the same extent, by parameters alone. */
static int irl__compose_is_unseen(irl__sched *s, const irl__compose *c, const irl_stmt *loop)
{
    const irl_expr *extent = loop->u.loop.extent, *data = c->init->u.store.buffer->data;
    irl__accesses   t;
    if ((extent->flags & IRL__HAS_MEMORY) || irl__expr_any(extent, irl__compose_is_local, s->f) ||
        irl__func_param_of(s->f, data) >= 0 || !irl__accesses_of(&t, s->f, NULL))
        return 0;
    IRL__EACH_ROW(a, &t) {
        const irl__around *n = a->around;
        if (a->kind == IRL__ACCESS_OPAQUE && irl__func_param_of(s->f, a->memory) < 0) return 0;
        if (a->memory != data || a->kind == IRL__ACCESS_WRITE) continue;
        while (n && (n->kind != IRL__AROUND_LOOP || n->stmt->u.loop.extent != extent))
            n = n->outer;
        if (!n) return 0;
    }
    return 1;
}

static int irl__compose_reads(const irl_expr *e, const void *memory)
{
    if (!(e->flags & IRL__HAS_MEMORY)) return -1;
    return e->op == IRL_OP_CALL_EXTERN || e->op == IRL_OP_CALL_INTRINSIC ||
           (e->op == IRL_OP_LOAD && e->u.buffer->data == memory);
}

/* Is the first store the same when it is done again? */
static int irl__compose_may_keep(const irl__compose *c)
{
    const irl_buffer *b = c->init->u.store.buffer;
    for (int k = 0; k < b->rank; k++)
        if (irl__expr_any(c->init->u.store.indices[k], irl__compose_reads, b->data)) return 0;
    return !irl__expr_any(c->init->u.store.value, irl__compose_reads, b->data);
}

/* Does a loop of the nest reduce, for no index uses it? */
static int irl__compose_reduces(const irl__compose *c)
{
    int k = c->count;
    while (k-- > 0 && irl__compose_uses_cell(c, c->loops[k])) {}
    return k >= 0;
}

/* What stands where, with the first store kept if a loop that reduces may be empty. */
static int irl__compose_look(irl__sched *s, irl__compose *c)
{
    const irl_buffer *b = c->update->u.store.buffer;
    const irl_expr   *runs = NULL, *cell;
    irl__update       u;
    int               k;
    irl__compose_read(c);
    if (!c->init && irl__store_update(c->update, &u) && irl__compose_reduces(c)) {
        c->is_own = 1; /* where no loop runs the cell stays as it is, too */
        cell = irl_expr_load(s->cx, b, b->rank, c->update->u.store.indices);
        c->init = irl__stmt_store(s->cx, b, cell, b->rank, c->update->u.store.indices,
                                  c->update->loc);
        return c->init != NULL;
    }
    if (!c->init || !c->count || c->inner == c->p.count)
        return irl__refuse_at(s, s->args[0].loc, "there is no store of the same cell directly "
                              "before the loops of '%N' that could be its init");
    for (k = 0; k < c->p.count - c->inner && !runs; k++) {
        runs = irl__compose_may_be_empty(s, c->loops[k]);
        if (runs && irl__compose_is_unseen(s, c, c->loops[k])) runs = NULL;
    }
    if (!runs) return irl__ok(s->cx);
    if (!irl__compose_may_keep(c)) {
        const irl_stmt *loop = c->loops[k - 1];
        irl__text       t;
        irl__text_init(&t, s->cx);
        if (loop->u.loop.extent->op != IRL_OP_INT &&
            !irl__expr_any(runs, irl__compose_is_local, s->f)) {
            irl__text_puts(&t, "assume(");
            irl__print_expr(&t, runs);
            irl__text_puts(&t, ") before the loops states that it has one");
        }
        const char *advice = irl__text_or_empty(irl__text_done(&t));
        return irl__refuse(s, advice[0] ? "'%L' %s: %H" : "'%L' %s", loop, "may have no iteration, "
                           "and the init of a block runs only with the first one", advice);
    }
    c->keeps = 1;
    c->count = c->own = c->is_rest = 0;
    c->init = NULL;
    irl__compose_read(c);
    return 1;
}

/* Loops of the nest whose bounds its other loops do not change. */
static int irl__compose_fits(irl__sched *s, const irl__compose *c)
{
    for (int k = 0; k < c->count; k++) {
        const irl_stmt *loop = c->loops[k];
        for (int j = k + 1; j < c->count; j++)
            if (!irl__loop_is_free(s, s->step->loc, loop, c->loops[j]->u.loop.var)) return 0;
        if (!irl__sched_bounds_are_named(s, s->step->loc, loop)) return 0;
    }
    return 1;
}

/* How many loops, of those that are axes, stand around the init. */
static int irl__compose_spatial(const irl__compose *c)
{
    return c->count - (c->p.count - c->inner);
}

/* An axis for each loop, in the loops' order: it counts from 0. */
static irl__axis *irl__compose_axes(irl__sched *s, irl__compose *c)
{
    irl__axis *axes = IRL__NEW(s->cx, irl__axis, c->count);
    const int  spatial = irl__compose_spatial(c);
    for (int k = 0; axes && k < c->count; k++) {
        const irl_stmt *loop = c->loops[c->count - 1 - k];
        c->from[k] = loop->u.loop.var;
        c->to[k] = irl__loop_axis(s->cx, loop->u.loop.var, loop->u.loop.min, loop->u.loop.extent,
                                  &axes[k]);
        if (!c->to[k]) return NULL;
        /* of one iteration nothing tells the kind: it is that of where the loop stands */
        axes[k].is_reduction =
            (c->is_own ? !irl__compose_uses_cell(c, loop) : k >= spatial) &&
            irl__is_int(loop->u.loop.extent, 1);
        axes[k].is_unstated = !axes[k].is_reduction;
    }
    return axes;
}

/* Does a loop around the update, within a block that is around them, say that its order is free? */
static int irl__compose_is_free(const irl__compose *c)
{
    for (int level = c->p.count - 1; level >= 0 && c->p.at[level]->kind != IRL__BLOCK; level--)
        if (irl__order_is_noted(c->p.at[level])) return 1;
    return 0;
}

static const irl_stmt *irl__compose_block(irl__sched *s, irl__compose *c)
{
    irl__block_data *b;
    irl__axis       *axes = irl__compose_axes(s, c);
    irl_stmt        *made = irl__block_new(s->cx, c->update->loc, NULL, &b);
    if (!axes || !made) return NULL;
    b->name = irl__namez(s->cx, irl__result_name(s, 0, s->args[0].name));
    b->axes = axes;
    b->axis_count = c->count;
    b->init = irl__substitute_stmt(s->cx, c->init, c->count, c->from, c->to);
    b->body = irl__substitute_stmt(s->cx, c->update, c->count, c->from, c->to);
    if (!b->name || !b->init || !b->body) return NULL;
    made = irl__stmt_finish(s->cx, made) ? made : NULL;
    if (!made || !irl__compose_is_free(c)) return made;
    /* notes of loops around a block are not its own */
    return irl_stmt_set_note(s->cx, made, irl__note_of(IRL__NOTE_ORDER, "free"));
}

/* What stands for the sequence at c->top that holds more: without the init, unless that stays. */
static const irl_stmt *irl__compose_rest(irl__sched *s, const irl__compose *c, const irl_stmt *nest)
{
    const irl_stmt *seq = c->p.at[c->top];
    const int       child = c->p.child[c->top + 1];
    if (seq->kind != IRL__SEQ || (seq->u.seq.count == 2 && !c->keeps)) return nest;
    return irl__seq_replace(s->cx, seq, child - !c->keeps, child + 1, 1, &nest);
}

/* The analysis says of each axis what it is. */
static int irl__compose_is_known(irl__sched *s, const irl__compose *c, uint32_t block)
{
    irl__accesses t;
    irl__place    p;
    if (!irl__place_of(s->f->body, block, &p) || !irl__accesses_of(&t, s->f, NULL)) return 0;
    const irl__around *node = irl__block_of(&t, irl__place_last(&p));
    for (int k = 0; node && k < c->count; k++) {
        irl__meeting m;
        if (!irl__place_last(&p)->u.block->axes[k].is_unstated) continue;
        irl__axis_kind kind = irl__axis_kind_of(&t, node, k, &m);
        if (kind == IRL__KIND_SPATIAL || (kind == IRL__KIND_REDUCE && m.answer == IRL_YES))
            continue;
        return irl__refuse_meeting(
            s, &t, &m, m.answer == IRL_YES
                           ? "iterations access one cell in other ways than by updating it"
                           : "it is not known whether iterations of the reduction access one cell",
            NULL);
    }
    return irl__ok(s->cx);
}

/* The analysis agrees: what stands around the init is spatial, the others reduce. */
static int irl__compose_is_reduction(irl__sched *s, const irl__compose *c, uint32_t block)
{
    const int  spatial = irl__compose_spatial(c);
    irl__place p;
    if (c->is_own) return 1;
    if (!irl__place_of(s->f->body, block, &p)) return 0;
    const irl__block_data *b = irl__place_last(&p)->u.block;
    for (int k = 0; k < b->axis_count; k++)
        if ((k >= spatial) != b->axes[k].is_reduction)
            return irl__refuse(
                s, k < spatial ? "'%s' is around the init, and its iterations write the same cell"
                               : "'%s' does not reduce: its iterations write different cells, or "
                                 "overwrite one cell", c->from[k]->u.name);
    return 1;
}

int irl__do_compose_reduction(irl__sched *s)
{
    irl__compose c;
    memset(&c, 0, sizeof c);
    c.p = s->p;
    if (irl__place_last(&c.p)->kind == IRL__BLOCK)
        return irl__refuse_at(s, s->args[0].loc, "'%N' is a block already");
    c.update = irl__place_last(&c.p)->u.loop.body;
    if (c.update->kind != IRL__STORE)
        return irl__refuse_at(s, s->args[0].loc, "the store of '%N' has lets or a condition: %H",
                              "compose_store of a loop first makes them part of it");
    if (!irl__compose_look(s, &c)) return 0;
    if (!irl__compose_fits(s, &c)) return 0;
    const irl_stmt *block = irl__compose_block(s, &c);
    const irl_stmt *nest = block;
    for (int k = 0; k < c.own; k++) nest = irl__stmt_loop_of(s->cx, c.loops[k], nest);
    nest = nest ? irl__compose_rest(s, &c, nest) : NULL;
    return irl__place_become(s, &c.p, c.top, nest) && irl__compose_is_known(s, &c, block->id) &&
           irl__sched_become(s, irl__func_kinds(s->f)) &&
           irl__compose_is_reduction(s, &c, block->id) && irl__sched_result(s, 0, block);
}

/* ------------------------------------------------------------------ a nest as a block

   requires  a nest around lets, conditions and stores of one buffer
   does      its body becomes a block, with an axis for each loop that stands around nothing else,
             and for each further out that the body uses
   refuses   bounds that depend on the nest's own loops or read memory, axes whose kind the analysis
             cannot tell */

/* The loops that are to be axes, the innermost first. */
static void irl__compose_around(irl__compose *c)
{
    const irl_stmt *body = irl__place_last(&c->p)->u.loop.body;
    int             is_chain = 1;
    for (int level = c->p.count - 1; level >= 0 && c->count < IRL__FLOW_MOST; level--) {
        const irl_stmt *at = c->p.at[level];
        is_chain &= at->kind == IRL__FOR;
        if (at->kind == IRL__BLOCK) return;
        if (at->kind == IRL__FOR && (is_chain || irl__stmt_names(body, at->u.loop.var, NULL)))
            c->loops[c->count++] = at;
    }
}

int irl__compose_plain(irl__sched *s, const irl__place *p, const char *name)
{
    irl__compose     c;
    irl__block_data *b;
    irl_stmt        *made = irl__block_new(s->cx, irl__place_last(p)->loc, NULL, &b);
    memset(&c, 0, sizeof c);
    c.p = *p;
    irl__compose_around(&c);
    c.inner = p->count; /* all are stated by what the analysis finds */
    if (!made || !irl__compose_fits(s, &c) || !(b->axes = irl__compose_axes(s, &c))) return 0;
    b->name = irl__namez(s->cx, name);
    b->axis_count = c.count;
    b->body = irl__substitute_stmt(s->cx, irl__place_last(p)->u.loop.body, c.count, c.from, c.to);
    if (!b->name || !b->body) return 0;
    const irl_stmt *block = irl__stmt_finish(s->cx, made);
    for (int k = 0; block && k < p->count; k++)
        if (irl__order_is_noted(p->at[k])) {
            block = irl_stmt_set_note(s->cx, block, irl__note_of(IRL__NOTE_ORDER, "free"));
            break;
        }
    return irl__place_become(s, p, p->count - 1,
                             irl__stmt_loop_of(s->cx, irl__place_last(p), block)) &&
           irl__compose_is_known(s, &c, block->id) && irl__sched_become(s, irl__func_kinds(s->f));
}
