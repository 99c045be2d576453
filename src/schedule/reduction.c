/* reduction.c - the primitives of reductions.

   needs     place.c, names.c; the access table, and the verdict on maps of loops
   promises  every element is initialised once, before its first update, as before */
#include "schedule.h"

/* ------------------------------------------------------------------ decompose_reduction

   requires  a block with an init, and a loop around it; the loops that its reduce axes are bound to
             are that loop or inside of it, and every point of the reduce axes has one iteration
   does      the init becomes a block of its own, name_init, in front of the loop, in loops over
             what the spatial axes need; where there may be no terms, it runs if that is a
             temporary's first value, else under a condition; the block keeps its name and only
             updates
   refuses   a block without init; a loop that is too far inside; something else in the loop that
             touches what the block writes, or writes what the init reads; elements that iterations
             of the loop reduce anew
   source    Feng and others, TensorIR (ASPLOS 2023) */

typedef struct irl__decompose {
    irl__place             p;
    int                    level; /* of the loop */
    const irl__block_data *block;
    int                    kept_count, dropped_count;
    const irl_stmt        *kept[IRL_MAX_RANK]; /* the loops that the init block needs */
    const irl_expr        *dropped[IRL_MAX_RANK], *least[IRL_MAX_RANK];
    const irl_expr        *extents[IRL_MAX_RANK]; /* of the dropped ones */
    const char            *suffix; /* of the init block's name */
} irl__decompose;

/* Sorts the loops from the level inwards into those that the spatial axes need and the others. */
static int irl__decompose_sort(irl__sched *s, irl__decompose *d)
{
    for (int k = 0; k < d->p.count - 1; k++) {
        const irl_stmt *at = d->p.at[k];
        if (at->kind == IRL__IF && k > d->level)
            return irl__refuse(s, "a condition is between the loop and '%s'", d->block->name);
        if (at->kind == IRL__BLOCK && k > d->level)
            return irl__refuse(s, "'%s' is between the loop and '%s'", at->u.block->name,
                               d->block->name);
        if (at->kind != IRL__FOR) continue;
        int spatial = irl__axes_use(d->block, at->u.loop.var, 0);
        int reduce = irl__axes_use(d->block, at->u.loop.var, 1);
        if (reduce && k < d->level)
            return irl__refuse(s, "the reduce axes of '%s' depend on the loop '%L', which is "
                               "outside: %H", d->block->name, at, "choose that loop");
        if (reduce && spatial)
            return irl__refuse(s, "the loop '%L' belongs to a spatial and to a reduce axis", at);
        if (k < d->level) continue;
        if (d->kept_count == IRL_MAX_RANK || d->dropped_count == IRL_MAX_RANK)
            return irl__refuse(s, "more than %d loops", IRL_MAX_RANK);
        if (spatial) d->kept[d->kept_count++] = at;
        else {
            d->dropped[d->dropped_count] = at->u.loop.var;
            d->extents[d->dropped_count] = at->u.loop.extent;
            d->least[d->dropped_count++] = at->u.loop.min;
        }
    }
    return 1;
}

/* Is every point of the reduce axes reached once, and is the first iteration of all loops their
   point 0? Else the init would run more often, or never. */
static int irl__decompose_is_exact(irl__sched *s, const irl__decompose *d)
{
    uint8_t asked[IRL_MAX_DEPTH + 2] = { 0 };
    for (int k = d->level; k < d->p.count - 1; k++)
        asked[k] = d->p.at[k]->kind == IRL__FOR && !irl__axes_use(d->block, d->p.at[k]->u.loop.var,
                                                                  0);
    return irl__points_once(s, &d->p, d->block, d->level, asked, 1);
}

/* Does the init store what the row touches, and nothing else of that memory: in the block, for a
   condition is asked in front of the init? Then it still does so before. */
static int irl__decompose_is_of_cell(const irl__accesses *init, const irl__access *a,
                                     const irl_stmt *own)
{
    int others = 0;
    IRL__EACH_ROW(w, init) {
        if (w->kind == IRL__ACCESS_READ || w->memory != a->memory) continue;
        if (a->place != own && irl__access_is_same(w, a)) return 1;
        others = 1;
    }
    return !others;
}

/* Does something else in the loop touch what the block writes, or write what the init reads? An
   init may read the cell that it stores, which is updated after that. */
static int irl__decompose_is_alone(irl__sched *s, const irl__decompose *d)
{
    const irl_stmt *own = irl__place_last(&d->p);
    irl__accesses   all, inner, init;
    /* else their indices are of loops of their own */
    const int       is_plain = d->block->init->kind == IRL__STORE &&
                               d->block->body->kind == IRL__STORE;
    if (!irl__accesses_of(&all, s->f, d->p.at[d->level]) || !irl__accesses_of(&inner, s->f, own) ||
        !irl__accesses_of(&init, s->f, d->block->init))
        return 0;
    IRL__EACH_ROW(w, &init) {
        int                here = 0, there = 0;
        if (w->kind == IRL__ACCESS_OPAQUE)
            return irl__refuse(s, "the init calls a function with a pointer");
        IRL__EACH_ROW(b, &inner) there += b->memory == w->memory;
        IRL__EACH_ROW(r, &all) here += r->memory == w->memory;
        if (here != there)
            return irl__refuse(s, "'%A' is touched by something else in the loop", w);
        if (w->kind == IRL__ACCESS_READ && !(is_plain && irl__init_is_own(d->block->init, w)))
            IRL__EACH_ROW(e, &all)
                if (e->memory == w->memory && e->kind != IRL__ACCESS_READ)
                    return irl__refuse(s, "the init reads '%A', which the loop writes", w);
    }
    IRL__EACH_ROW(x, &inner)
        if (!x->is_declared && (x->place == own || is_plain) &&
            !irl__decompose_is_of_cell(&init, x, own))
            return irl__refuse(s, "'%s' touches '%A' in its condition, or at other cells than its "
                               "init, and the init would run before that", d->block->name, x);
    return 1;
}

/* Where the init runs: the block's condition at the first iteration of the dropped loops, the only
   one in which the reduce axes are 0. */
static const irl_expr *irl__decompose_condition(irl__sched *s, const irl__decompose *d)
{
    const irl_expr *e = d->block->predicate, *zero = irl_expr_index(s->cx, 0);
    for (int k = 0; e && zero && k < d->block->axis_count; k++)
        if (d->block->axes[k].is_reduction)
            e = irl__substitute(s->cx, e, 1, &d->block->axes[k].var, &zero);
    if (e) e = irl__substitute(s->cx, e, d->dropped_count, d->dropped, d->least);
    return irl__simplify_alone(s->cx, e);
}

/* The init as a block over the spatial axes, under names of their own. */
static const irl_stmt *irl__decompose_init(irl__sched *s, const irl__decompose *d)
{
    const irl__block_data *block = d->block;
    const irl_expr        *from[IRL_MAX_RANK], *to[IRL_MAX_RANK];
    irl__block_data       *data;
    irl_stmt              *made = irl__block_new(s->cx, block->init->loc, NULL, &data);
    irl__axis *axes = made ? irl__block_axes(s->cx, data, block->axis_count) : NULL;
    int        count = 0;
    if (!axes) return NULL;
    for (int k = 0; k < block->axis_count; k++) {
        if (block->axes[k].is_reduction) continue;
        if (count == IRL_MAX_RANK) return NULL;
        axes[count] = block->axes[k];
        axes[count].binding = irl__substitute(s->cx, block->axes[k].binding, d->dropped_count,
                                              d->dropped, d->least);
        from[count] = block->axes[k].var;
        to[count] = axes[count].var = irl_expr_var(s->cx, from[count]->u.name, from[count]->type);
        if (!axes[count].binding || !to[count++]) return NULL;
    }
    data->name = irl__result_block(s, block->name, d->suffix);
    data->predicate = block->predicate ? irl__decompose_condition(s, d) : NULL;
    if (block->predicate && !data->predicate) return NULL;
    if (data->predicate && irl__is_int(data->predicate, 1)) data->predicate = NULL;
    data->writes = block->writes;
    data->write_count = block->write_count;
    data->body = block->init;
    if (!data->name || !irl__stmt_finish(s->cx, made)) return NULL;
    made = irl__block_over(s->cx, made, count, from, to, &data);
    if (!made) return NULL;
    data->axes = axes;
    data->axis_count = count;
    return irl__stmt_finish(s->cx, made);
}

/* ... in loops over what these need. */
static const irl_stmt *irl__decompose_nest(irl__sched *s, const irl__decompose *d,
                                           const irl_stmt **init)
{
    for (int k = d->kept_count; k-- > 0;)
        for (int j = 0; j < d->dropped_count; j++)
            if (!irl__loop_is_free(s, s->step->loc, d->kept[k], d->dropped[j])) return NULL;
    *init = irl__decompose_init(s, d);
    return irl__place_nest(s, d->kept_count, d->kept, *init);
}

/* The block without its init. What it updates is among what it reads now. */
static const irl_stmt *irl__decompose_update(irl__sched *s, const irl_stmt *at)
{
    irl__block_data *block;
    irl_stmt        *copy = irl__block_copy(s->cx, at, &block);
    irl__region     *reads = NULL;
    int              j;
    if (!copy) return NULL;
    block->init = NULL;
    if (block->read_count) {
        reads = IRL__NEW(s->cx, irl__region, block->read_count + block->write_count);
        if (!reads) return NULL;
        memcpy(reads, block->reads, (size_t)block->read_count * sizeof *reads);
        for (int k = 0; k < block->write_count; k++) {
            for (j = 0; j < block->read_count && reads[j].buffer != block->writes[k].buffer; j++) {}
            if (j == block->read_count) reads[block->read_count++] = block->writes[k];
        }
        block->reads = reads;
    }
    return irl__stmt_finish(s->cx, copy);
}

/* e, where the init of the nest has it; NULL: it may have no value where other loops do not run. */
static const irl_expr *irl__decompose_known(irl__sched *s, const irl__decompose *d,
                                            irl__analyzer *an, const irl_expr *e)
{
    e = irl__axes_bound(s->cx, d->block, e);
    e = e ? irl__substitute(s->cx, e, d->dropped_count, d->dropped, d->least) : NULL;
    return e && !(e->flags & IRL__HAS_MEMORY) && !irl__undefined_if_sums_fit(an, e) ? e : NULL;
}

/* May the init run where nothing is added? Not if that memory holds something already: it is
   allocated in front of the loop, and nothing between touches it. */
static int irl__decompose_is_fresh(irl__sched *s, const irl__decompose *d)
{
    const irl_stmt *init = d->block->init, *at = d->level > 0 ? d->p.at[d->level - 1] : NULL;
    int             k;
    if (!at || at->kind != IRL__SEQ || init->kind != IRL__STORE || d->block->predicate) return 0;
    const irl_buffer *b = init->u.store.buffer;
    for (k = d->p.child[d->level]; k-- > 0;) {
        const irl_stmt *before = at->u.seq.stmts[k];
        if (before->kind == IRL__ALLOC && before->u.alloc.buffer == b) break;
        if (irl__stmt_names(before, b->data, NULL)) return 0;
    }
    if (k < 0) return 0;
    irl__analyzer *an = irl__place_analyzer(s, &d->p, d->level);
    for (int j = 0; an && j < d->kept_count; j++)
        if (!irl__bind_loop(an, d->kept[j])) return 0;
    for (int j = 0; an && j < b->rank; j++) {
        const irl_expr *e = irl__decompose_known(s, d, an, init->u.store.indices[j]);
        if (!e || !irl__prove_within(an, e, b->shape[j])) return 0;
    }
    return an && irl__decompose_known(s, d, an, init->u.store.value);
}

/* The condition under which all loops run that the init no longer stands in: it did not run where
   one of them does not. NULL with no diagnostic: they all do. */
static const irl_expr *irl__decompose_runs(irl__sched *s, const irl__decompose *d)
{
    const irl_expr *runs = NULL;
    irl__analyzer  *an = irl__place_analyzer(s, NULL, 0);
    if (!an) return NULL;
    for (int k = 0; k < d->dropped_count; k++) {
        const irl_expr *extent = d->extents[k];
        const irl_expr *one = irl_expr_op2(s->cx, IRL_OP_GT, extent, irl_expr_index(s->cx, 0));
        int             inner = (extent->flags & IRL__HAS_MEMORY) != 0;
        if (!one || irl__prove(an, one)) continue;
        for (int j = d->level; j < d->p.count - 1; j++)
            inner |=
                d->p.at[j]->kind == IRL__FOR && irl__expr_uses_var(extent, d->p.at[j]->u.loop.var);
        if (inner) {
            irl__refuse(s, "it is not known whether the loop '%s' runs; if it does not, the init "
                        "does not run", d->dropped[k]->u.name);
            return NULL;
        }
        runs = irl__and(s->cx, runs, one);
    }
    return runs;
}

/* Is each cell reduced once? Where two iterations of the loops that stay come to one cell, the init
   of the second one threw away what the first one had computed. */
static int irl__decompose_is_once(irl__sched *s, const irl__decompose *d)
{
    irl__accesses t, init;
    irl__meeting  m;
    if (!irl__accesses_of(&t, s->f, d->p.at[d->level]) ||
        !irl__accesses_of(&init, s->f, d->block->init))
        return 0;
    IRL__EACH_ROW(w, &t) {
        int is_init = 0;
        IRL__EACH_ROW(a, &init) is_init |= a->place == w->place && irl__access_writes(a);
        if (!is_init || !irl__access_writes(w) || w->is_declared) continue;
        for (int i = 0; i < d->kept_count; i++) {
            const irl__around *loop = irl__loop_of(&t, d->kept[i]);
            if (loop && irl__loop_carries_between(&t, loop, w, w, &m) != IRL_NO)
                return irl__refuse_meeting(s, &t, &m, "an element is reduced several times, but "
                                           "its init would run only once", NULL);
        }
    }
    return irl__ok(s->cx);
}

/* What the init uses, which stands in front of the loop now, is declared there. */
static int irl__decompose_is_declared(irl__sched *s, const irl__decompose *d, const irl_stmt *nest)
{
    const irl__place *p = &d->p;
    for (int k = d->level + 1; k < p->count - 1; k++) {
        const char *name = p->at[k]->kind == IRL__SEQ
                               ? irl__flow_declared_between(p->at[k], 0, p->child[k + 1], nest)
                               : NULL;
        if (name)
            return irl__refuse(s, "the init of '%s' uses '%s', which is declared in the loop '%L'",
                               d->block->name, name, p->at[d->level]);
    }
    return irl__flow_bounds_are_named(s, p, d->level);
}

/* Does the init use nothing that the block declares? */
static int irl__decompose_is_bare(irl__sched *s, const irl__block_data *block)
{
    const irl_buffer *found = NULL;
    for (int k = 0; k < block->alloc_count && !found; k++)
        if (irl__stmt_names(block->init, block->allocs[k]->data, NULL)) found = block->allocs[k];
    for (int k = 0; k < block->match_count && !found; k++)
        if (irl__stmt_names(block->init, block->matches[k].buffer->data, NULL))
            found = block->matches[k].buffer;
    return !found || irl__refuse(s, "the init of '%s' uses '%B', which the block declares",
                                 block->name, found);
}

/* The block, and the level of the loop around it that the step names. */
static int irl__decompose_begin(irl__sched *s, int has_init, const char *suffix, irl__decompose *d)
{
    irl__place loop;
    memset(d, 0, sizeof *d);
    d->suffix = suffix;
    d->p = s->p;
    if (!irl__sched_loop(s, &s->args[1], &loop)) return 0;
    const irl_stmt *at = irl__place_last(&d->p);
    if (at->kind != IRL__BLOCK)
        return irl__refuse_at(s, s->args[0].loc, "'%N' has no init: it is a nest, %H",
                              "compose_reduction first");
    d->block = at->u.block;
    if (has_init && !d->block->init)
        return irl__refuse_at(s, s->args[0].loc, "'%N' has no init");
    d->level = loop.count - 1;
    return (d->level < d->p.count && d->p.at[d->level] == loop.at[d->level]) ||
           irl__refuse_at(s, s->args[1].loc, "the loop is not around '%s'", d->block->name);
}

/* The block becomes `now`, and the nest goes before the loop; the step's result is `init`. */
static int irl__decompose_put(irl__sched *s, const irl__decompose *d,
                              const irl_stmt *nest, const irl_stmt *now, const irl_stmt *init)
{
    irl__place      loop;
    irl_func       *f = irl__place_put(s->f, &d->p, d->p.count - 1, now);
    if (!f || !irl__place_of(f->body, d->p.at[d->level]->id, &loop)) return 0;
    s->f = irl__place_put(f, &loop, loop.count - 1,
                          irl__stmt_pair(s->cx, nest, irl__place_last(&loop)));
    return s->f && irl__sched_result(s, 0, init);
}

int irl__do_decompose_reduction(irl__sched *s)
{
    irl__decompose d;
    if (!irl__decompose_begin(s, 1, "init", &d)) return 0;
    if (!irl__flow_keeps_calls(s, d.block->init) || !irl__decompose_is_bare(s, d.block) ||
        !irl__flow_init_knows_axes(s, d.block, &d.p, d.level) || !irl__decompose_sort(s, &d) ||
        !irl__decompose_is_exact(s, &d) || !irl__decompose_is_alone(s, &d) ||
        !irl__decompose_is_once(s, &d))
        return 0;
    const irl_expr *runs = irl__decompose_is_fresh(s, &d) ? NULL : irl__decompose_runs(s, &d);
    if (!irl__ok(s->cx)) return 0;
    const irl_stmt *init, *nest = irl__decompose_nest(s, &d, &init);
    if (!nest || !irl__decompose_is_declared(s, &d, nest)) return 0;
    if (runs) nest = irl_stmt_if(s->cx, runs, nest, NULL);
    const irl_stmt *now = nest ? irl__decompose_update(s, irl__place_last(&d.p)) : NULL;
    return irl__decompose_put(s, &d, nest, now, init);
}

/* ------------------------------------------------------------------ decompose_padding

   requires  a block that stores if_then_else(condition, value, constant), or the arms the other way
             round; a loop around it, in which loops alone stand around it
   does      the constant is stored everywhere by a block of its own, name_pad_const, in front of
             the loop, in loops over what the axes need; the block stores where there is a value
   refuses   another store; axes along which instances meet; something else in the loop */

/* Which arm of the choice is a constant: 1 the first, 2 the second; 0: none is. */
static int irl__padding_arm(const irl_stmt *store)
{
    const irl_expr *e = store->kind == IRL__STORE ? store->u.store.value : NULL;
    if (!e || (e->op != IRL_OP_IF_THEN_ELSE && e->op != IRL_OP_SELECT)) return 0;
    return irl__is_const(e->a[2]) ? 2 : irl__is_const(e->a[1]) ? 1 : 0;
}

static int irl__padding_may(irl__sched *s, const irl__decompose *d)
{
    const irl_stmt    *at = irl__place_last(&d->p);
    irl__accesses      t;
    irl__meeting       m;
    for (int k = d->level; k < d->p.count - 1; k++)
        if (d->p.at[k]->kind != IRL__FOR)
            return irl__refuse(s, "the loop contains something other than '%s'", d->block->name);
    if (d->block->init || d->block->alloc_count || d->block->match_count ||
        !irl__padding_arm(d->block->body))
        return irl__refuse(s, "'%s' does not store a choice of a value and a constant",
                           d->block->name);
    if (!irl__accesses_of(&t, s->f, NULL)) return 0;
    const irl__around *node = irl__block_of(&t, at);
    const irl__flow_set stores = irl__flow_set_of(&t, IRL__ROWS_STORE, at, NULL, NULL);
    const irl__flow_set takes = irl__flow_set_of(&t, IRL__ROWS_TAKE, at, NULL, NULL);
    IRL__FLOW_PAIRS(a, b, stores, takes)
        return irl__refuse(s, "'%s' reads what it writes", d->block->name);
    for (int k = 0; node && k < d->block->axis_count; k++)
        if (irl__axis_kind_of(&t, node, k, &m) != IRL__KIND_SPATIAL)
            return irl__refuse_meeting(s, &t, &m, "instances that differ in an axis access one "
                                       "cell", NULL);
    return irl__ok(s->cx);
}

/* The block where there is a value. */
static const irl_stmt *irl__padding_rest(irl__sched *s, const irl_stmt *at)
{
    const irl_stmt  *store = at->u.block->body;
    const irl_expr  *choice = store->u.store.value, *where = choice->a[0];
    const irl_expr  *value = choice->a[irl__padding_arm(store) == 2 ? 1 : 2];
    if (irl__padding_arm(store) == 1) where = irl_expr_op1(s->cx, IRL_OP_NOT, where);
    where = irl__simplify_alone(s->cx, irl__axes_bound(s->cx, at->u.block, where));
    return irl__block_with(s->cx, at, irl__and(s->cx, where, at->u.block->predicate),
                           irl__stmt_store_of(s->cx, store, value));
}

int irl__do_decompose_padding(irl__sched *s)
{
    irl__decompose   d;
    const irl_stmt  *init;
    if (!irl__decompose_begin(s, 0, "pad_const", &d) || !irl__padding_may(s, &d) ||
        !irl__decompose_sort(s, &d))
        return 0;
    const irl_stmt *store = d.block->body;
    irl__block_data *filled = IRL__COPY(s->cx, irl__block_data, d.block, 1);
    if (!filled) return 0;
    filled->init = irl__stmt_store_of(s->cx, store,
                                      store->u.store.value->a[irl__padding_arm(store)]);
    if (!filled->init) return 0;
    d.block = filled;
    const irl_stmt *nest = irl__decompose_nest(s, &d, &init);
    const irl_stmt *now = nest ? irl__padding_rest(s, irl__place_last(&d.p)) : NULL;
    return irl__decompose_put(s, &d, nest, now, init);
}

/* ------------------------------------------------------------------ reassociate

   requires  a block or nest that updates cells by one operator
   does      declares the order of its reduction free: note(order = "free"), so that reorder may
             change it. Integers, min and max need no permission
   refuses   what is no such update */

int irl__do_reassociate(irl__sched *s)
{
    irl__accesses   t;
    int             updates = 0, free_ones = 0;
    const irl_stmt *now =
        irl_stmt_set_note(s->cx, irl__place_last(&s->p), irl__note_of(IRL__NOTE_ORDER, "free"));
    irl_func       *f = irl__place_put(s->f, &s->p, s->p.count - 1, now);
    if (!f || !irl__accesses_of(&t, f, now)) return 0;
    IRL__EACH_ROW(b, &t) {
        updates += b->kind == IRL__ACCESS_UPDATE;
        free_ones += irl__update_commutes(&t, b);
    }
    if (!updates || updates != free_ones)
        return irl__refuse(s, "'%N' is not a reduction by one of + * min max & | ^");
    return irl__sched_become(s, f);
}

/* ------------------------------------------------------------------ contract

   requires  a block or nest that stores sums with a product of f32 or f64 in them
   does      a * b + c becomes fma(a, b, c), rounded once, a * b - c fma(a, b, -c), c - a * b
             fma(-a, b, c); y + (where ? a * b : c), of which one arm is computed, becomes
             where ? fma(a, b, y) : y + c
   refuses   where there is no such sum */

static int irl__contract_is_choice(const irl_expr *e)
{
    return e->op == IRL_OP_IF_THEN_ELSE &&
           (e->a[1]->op == IRL_OP_MUL || e->a[2]->op == IRL_OP_MUL);
}

static const irl_expr *irl__contract_minus(irl_ctx *cx, const irl_expr *e)
{
    return e->op == IRL_OP_FLOAT ? irl_expr_float(cx, e->type, -e->u.f)
                                 : irl_expr_op1(cx, IRL_OP_NEG, e);
}

/* e + rest, rest - e (`sign` is -1) or e - rest (1), contracted if e is a product. That a float is
   negated rounds nothing. */
static const irl_expr *irl__contract_sum(irl_ctx *cx, const irl_expr *e, const irl_expr *rest,
                                         int sign)
{
    if (e->op != IRL_OP_MUL)
        return irl_expr_op2(cx, sign ? IRL_OP_SUB : IRL_OP_ADD, sign > 0 ? e : rest,
                            sign > 0 ? rest : e);
    return irl_expr_op3(cx, IRL_OP_FMA, sign < 0 ? irl__contract_minus(cx, e->a[0]) : e->a[0],
                        e->a[1], sign > 0 ? irl__contract_minus(cx, rest) : rest);
}

static const irl_expr *irl__contract_expr(irl__rewriter *r, const irl_expr *e)
{
    int k;
    e = irl__rewrite_expr_children(r, e);
    if (!e || (e->op != IRL_OP_ADD && e->op != IRL_OP_SUB) || !irl__type_is_float(e->type) ||
        irl__type_is_half(e->type))
        return e;
    for (k = 1; k >= 0 && e->a[k]->op != IRL_OP_MUL; k--) {}
    if (k < 0)
        for (k = 1; k >= 0 && !irl__contract_is_choice(e->a[k]); k--) {}
    if (k < 0) return e;
    ++*(int *)r->user;
    int             sign = e->op == IRL_OP_ADD ? 0 : k ? -1 : 1;
    const irl_expr *rest = e->a[1 - k];
    e = e->a[k];
    if (e->op == IRL_OP_MUL) return irl__contract_sum(r->cx, e, rest, sign);
    return irl_expr_op3(r->cx, IRL_OP_IF_THEN_ELSE, e->a[0], irl__contract_sum(r->cx, e->a[1], rest,
                                                                               sign),
                        irl__contract_sum(r->cx, e->a[2], rest, sign));
}

/* What the first argument names, as the hook, which counts, rewrites its expressions; where that is
   none, the refusal, with the loop and a number. */
static int irl__sched_rewrite(irl__sched *s,
                              const irl_expr *(*hook)(irl__rewriter *r, const irl_expr *e),
                              const char *none, int number)
{
    int             count = 0;
    irl__rewriter   r = irl__rewriter_make(s->cx, &count, hook, NULL);
    const irl_stmt *now = irl__rewrite_stmt(&r, irl__place_last(&s->p));
    if (now && !count) return irl__refuse(s, none, irl__place_last(&s->p), number);
    return irl__sched_put(s, now);
}

int irl__do_contract(irl__sched *s)
{
    return irl__sched_rewrite(s, irl__contract_expr, "'%N' contains no a * b + c and no a * b - c "
                              "of f32 or f64", 0);
}

/* ------------------------------------------------------------------ skip_neutral

   requires  a block whose body adds to a cell a term with a condition, of which one arm is -0.0f,
             or the 0 of an integer. Or one whose init stores a constant, and whose body adds to the
             same cell, or takes the least or largest of it and, such a term, one arm neutral
   does      y + (where ? a : 0.0f) becomes where ? y + a : y, and min and max alike
   refuses   a float sum that begins at -0.0f, which + 0.0f changes. From another constant no sum
             becomes -0.0f: rounded to nearest, x + y is -0.0f only if both are. A min or max whose
             constant is not the init's */

/* Is it -0.0 (is_negative) or 0.0, or an integer that is 0? */
static int irl__neutral_is_zero(const irl_expr *e, int is_negative)
{
    const double zero = 0.0;
    if (e->op == IRL_OP_INT) return e->u.i == 0 && !is_negative;
    return e->op == IRL_OP_FLOAT && e->u.f == 0.0 &&
           !memcmp(&e->u.f, &zero, sizeof zero) == !is_negative;
}

/* Does that operator leave a cell that began with `init` as it is? */
static int irl__is_neutral(const irl_expr *value, const irl_expr *e, const irl_expr *init)
{
    if (value->op == IRL_OP_MIN || value->op == IRL_OP_MAX) return e == init;
    return irl__neutral_is_zero(e, e->op != IRL_OP_INT) ||
           (init && irl__neutral_is_zero(e, 0) && !irl__neutral_is_zero(init, 1));
}

const irl_expr *irl__neutral_skipped(irl_ctx *cx, const irl_stmt *store, const irl_expr *init)
{
    const irl_expr *value = store->u.store.value;
    const irl_expr *arms[3], *args[2];
    if (value->op != IRL_OP_ADD && value->op != IRL_OP_MIN && value->op != IRL_OP_MAX) return NULL;
    for (int k = 0; k < 2; k++) {
        const irl_expr *cell = value->a[k], *term = value->a[!k];
        if (!irl__store_is_held(store, cell) || term->op != IRL_OP_IF_THEN_ELSE) continue;
        for (int arm = 1; arm < 3; arm++) {
            if (!irl__is_neutral(value, term->a[arm], init)) continue;
            args[k] = cell;
            args[!k] = term->a[3 - arm];
            arms[0] = term->a[0];
            arms[arm] = cell;
            arms[3 - arm] = irl__expr_op(cx, (irl_op)value->op, 2, args, irl__nowhere());
            return arms[3 - arm] ? irl__expr_op(cx, IRL_OP_IF_THEN_ELSE, 3, arms, irl__nowhere())
                                 : NULL;
        }
    }
    return NULL;
}

/* Does nothing but the block write what it reduces into, in the loops around it? */
static int irl__neutral_is_alone(irl__sched *s, const irl__place *p)
{
    const irl_stmt    *at = irl__place_last(p);
    irl__accesses      t;
    const irl__access *cell = NULL;
    if (!irl__accesses_of(&t, s->f, NULL)) return 0;
    const irl__around *block = irl__block_of(&t, at), *top = block;
    for (int k = 0; k < p->count - 1 && top == block; k++)
        if (p->at[k]->kind == IRL__FOR) top = irl__loop_of(&t, p->at[k]);
    for (int k = block->first; k < block->end; k++)
        if (t.list[k].place == at->u.block->body && irl__flow_is_write(&t.list[k]))
            cell = &t.list[k];
    for (int k = top->first; k < top->end; k++)
        if ((k < block->first || k >= block->end) && !t.list[k].is_declared &&
            irl__flow_is_write(&t.list[k]) && (!cell || t.list[k].memory == cell->memory))
            return 0;
    return cell != NULL;
}

int irl__stmt_same_cell(const irl_stmt *a, const irl_stmt *b)
{
    if (a->kind != IRL__STORE || b->kind != IRL__STORE ||
        a->u.store.buffer != b->u.store.buffer)
        return 0;
    for (int k = 0; k < a->u.store.buffer->rank; k++)
        if (a->u.store.indices[k] != b->u.store.indices[k] ||
            (a->u.store.indices[k]->flags & IRL__HAS_MEMORY))
            return 0;
    return 1;
}

/* What the block stores if its sum, which begins with a constant, leaves out what is neutral then;
   NULL: refused. */
static const irl_expr *irl__neutral_from(irl__sched *s, const irl__place *p)
{
    const irl_stmt *at = irl__place_last(p), *init, *store;
    init = at->kind == IRL__BLOCK ? at->u.block->init : NULL;
    store = init ? at->u.block->body : NULL;
    if (!init || init->kind != IRL__STORE || store->kind != IRL__STORE ||
        !irl__is_const(init->u.store.value) ||
        !irl__store_is_at(store, init->u.store.buffer, init->u.store.indices))
        irl__refuse(s, "'%N' is not a reduction of one cell that begins with a constant");
    else if (!irl__neutral_is_alone(s, p))
        irl__refuse(s, "as far as is known, '%N' is not the only block in its loops that writes "
                    "what it reduces into");
    const irl_expr *value =
        irl__ok(s->cx) ? irl__neutral_skipped(s->cx, store, init->u.store.value) : NULL;
    if (!value && irl__ok(s->cx))
        irl__refuse(s, "'%N' neither adds a choice between a term and 0, nor takes the least or "
                    "largest of a choice between a term and its init");
    return value;
}

int irl__do_skip_neutral(irl__sched *s)
{
    const irl_stmt *at = irl__place_last(&s->p);
    const irl_stmt *store = at->kind == IRL__BLOCK ? at->u.block->body : NULL;
    const irl_expr *value = store && store->kind == IRL__STORE
                                ? irl__neutral_skipped(s->cx, store, NULL) : NULL;
    if (!value && irl__ok(s->cx)) value = irl__neutral_from(s, &s->p);
    return value && irl__place_become(s, &s->p, s->p.count - 1,
                                      irl__block_with(s->cx, at, at->u.block->predicate,
                                                      irl__stmt_store_of(s->cx, store, value)));
}

/* ------------------------------------------------------------------ expand_powers

   requires  a loop with pow(x, 2.0) to pow(x, 8.0) of f32 or f64 in it
   does      pow(x, n) becomes the product of n factors, of squares where they serve: at most 7
             roundings, which are within 7 of the 16 units in the last place that OpenCL allows pow
   refuses   where there is none, or x is a call or large: it would be computed again */

enum { IRL__POWER_MOST = 8, IRL__POWER_SIZE = 16 }; /* the exponent; nodes of x */

static int irl__power_is_call(const irl_expr *e, const void *user)
{
    (void)user;
    return e->op == IRL_OP_CALL_EXTERN || e->op == IRL_OP_CALL_INTRINSIC ||
           irl__op_info((irl_op)e->op)->rule == IRL__SAME_FLOAT;
}

int irl__power_of(const irl_expr *e, const void *user)
{
    (void)user;
    if (e->op != IRL_OP_POW || e->a[1]->op != IRL_OP_FLOAT || irl__type_is_half(e->type)) return 0;
    const double n = e->a[1]->u.f;
    return n >= 2 && n <= IRL__POWER_MOST && n == (double)(int)n &&
           e->a[0]->size <= IRL__POWER_SIZE && !irl__expr_any(e->a[0], irl__power_is_call, NULL);
}

static const irl_expr *irl__power_expr(irl__rewriter *r, const irl_expr *e)
{
    e = irl__rewrite_expr_children(r, e);
    if (!e || !irl__power_of(e, NULL)) return e;
    const irl_expr *square = e->a[0], *all = NULL;
    for (int n = (int)e->a[1]->u.f; n && square; n /= 2) {
        if (n % 2) all = all ? irl_expr_op2(r->cx, IRL_OP_MUL, all, square) : square;
        if (n > 1) square = irl_expr_op2(r->cx, IRL_OP_MUL, square, square);
    }
    ++*(int *)r->user;
    return all;
}

int irl__do_expand_powers(irl__sched *s)
{
    return irl__sched_rewrite(s, irl__power_expr, "'%L' contains no pow(x, n) of f32 or f64 with n "
                              "from 2 to %d and a small x without calls", IRL__POWER_MOST);
}
