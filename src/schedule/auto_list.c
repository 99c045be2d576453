/* auto_list.c - a list of nests: the statements of a function, or of a loop around several.

   needs     auto.c, which decides one nest; gather, compose_reduction, merge and distribute, which
             prove that each cell gets the same stores in the same order
   promises  sums that several statements compute are one nest, or several, before they are decided:
             y[i, j] = 0 everywhere, then y[i, j] += a[i, k] * b[k, j]; loops in which a sum is
             initialised, computed and used; y[w + s] += x[w] * t[s], whose cells gather their
             terms. A nest that reads a sum cell by cell is computed where the sum is stored. If a
             step is refused, nothing changes
   cost      that of the nests; beyond IRL__AUTO_WORK of them the rest stays as it is */
#include "auto.h"

/* ---------------------------------------------------------- a store and the sum that follows it */

/* One of the two: loops around a store alone, perhaps under a condition. */
typedef struct irl__auto_half {
    int             count;
    const irl_stmt *loops[IRL__AUTO_LOOPS], *store;
    const char     *name; /* of the nest */
} irl__auto_half;

static int irl__auto_half_of(const irl__auto *a, const irl_stmt *top, irl__auto_half *h)
{
    const irl_stmt *s;
    memset(h, 0, sizeof *h);
    for (s = top; s->kind == IRL__FOR; s = s->u.loop.body) {
        if (h->count == IRL__AUTO_LOOPS || s->u.loop.kind != IRL_SERIAL ||
            s->u.loop.min->op != IRL_OP_INT)
            return 0;
        h->loops[h->count++] = s;
    }
    h->store = h->count ? irl__named_store(s) : NULL;
    h->name = h->store ? irl__sched_nest_name(a->f, h->loops[h->count - 1]) : NULL;
    return h->name != NULL;
}

/* Which loop is that index? -1: none. */
static int irl__auto_half_loop(const irl__auto_half *h, const irl_expr *index)
{
    for (int k = h->count; k-- > 0;)
        if (h->loops[k]->u.loop.var == index) return k;
    return -1;
}

/* Of each loop of the first the one of the second that counts the same cells. */
static int irl__auto_halves_meet(const irl__auto_half *first, const irl__auto_half *second,
                                 int *other)
{
    const irl_buffer *b = first->store->u.store.buffer;
    irl__update       u;
    int               i, j, found = 0;
    if (second->store->u.store.buffer != b || second->count <= first->count ||
        first->store->u.store.value->flags & IRL__HAS_MEMORY ||
        first->loops[first->count - 1]->u.loop.body != first->store ||
        !irl__store_update(second->store, &u))
        return 0;
    for (int k = 0; k < b->rank; k++) {
        i = irl__auto_half_loop(first, first->store->u.store.indices[k]);
        j = irl__auto_half_loop(second, second->store->u.store.indices[k]);
        if (i < 0 && j < 0 &&
            first->store->u.store.indices[k] == second->store->u.store.indices[k])
            continue;
        /* They count the same. */
        if (i < 0 || j < 0 ||
            first->loops[i]->u.loop.min->u.i != second->loops[j]->u.loop.min->u.i ||
            first->loops[i]->u.loop.extent != second->loops[j]->u.loop.extent)
            return 0;
        other[i] = j;
        found |= 1 << i;
    }
    return found == (1 << first->count) - 1;
}

/* As a step writes the loop. */
static const char *irl__auto_half_member(irl__auto *a, const irl__auto_half *h, int k)
{
    return irl__reason(a->cx, "%s.%s", h->name,
                       irl__symbol_text(a->cx, h->loops[k]->u.loop.var->u.name));
}

/* The second's loops in the first's order, and after them those that only the second has. */
static void irl__auto_halves_order(irl__auto *a, irl__auto_plan *p, const irl__auto_half *first,
                                   const irl__auto_half *second, const int *other)
{
    int k, is_there = 1, any = 0;
    for (k = 0; k < first->count; k++) is_there &= other[k] == k;
    if (is_there) return;
    for (k = 0; k < first->count; k++)
        irl__auto_put(p, &any, irl__auto_half_member(a, second, other[k]));
    for (int j = 0; j < second->count; j++) {
        for (k = 0; k < first->count && other[k] != j; k++) {}
        if (k == first->count) irl__auto_put(p, &any, irl__auto_half_member(a, second, j));
    }
    irl__auto_put_end(p, "each store of a first value becomes the init of its sum");
}

/* The statement in k loops from number `at` of the list on; NULL: it is none such. */
static const irl_stmt *irl__auto_merged(const irl__auto *a, int at, int k)
{
    const irl_stmt *s = irl__auto_body(a);
    if (s->kind == IRL__SEQ) s = s->u.seq.stmts[at];
    for (; k > 0 && s->kind == IRL__FOR; k--) s = s->u.loop.body;
    return k == 0 ? s : NULL;
}

/* Their outermost loops become one, then those in it, by the names that they have then: labels go
   with loops. */
static int irl__auto_halves_merge(irl__auto *a, irl__auto_plan *p, int at, irl__auto_half *first,
                                  irl__auto_half *second, int count)
{
    for (int k = 0; k < count; k++) {
        if (k) irl__auto_plan_begin(a, p);
        irl__auto_step(p, "", "merge(%s, %s);", irl__auto_half_member(a, first, 0),
                       irl__auto_half_member(a, second, 0));
        if (!irl__auto_try(a, p)) return 0;
        const irl_stmt *s = irl__auto_merged(a, at, k + 1);
        if (!s || s->kind != IRL__SEQ || s->u.seq.count != 2) return 0;
        if (k + 1 < count && (!irl__auto_half_of(a, s->u.seq.stmts[0], first) ||
                              !irl__auto_half_of(a, s->u.seq.stmts[1], second)))
            return 0;
    }
    return 1;
}

/* A nest of stores, and the next nest, which updates them, become one, as steps; its id. 0: they
   are no such nests. */
static uint32_t irl__auto_join(irl__auto *a, uint32_t id, uint32_t next)
{
    const irl__auto before = *a;
    const irl_stmt *top = irl__auto_top(a->f, id), *behind = irl__auto_top(a->f, next);
    irl__auto_half  first, second;
    irl__auto_plan  p;
    int             other[IRL__AUTO_LOOPS], at = irl__auto_at(a, top);
    if (at < 0 || irl__auto_at(a, behind) != at + 1) return 0;
    if (!irl__auto_half_of(a, top, &first) || !irl__auto_half_of(a, behind, &second) ||
        !irl__auto_halves_meet(&first, &second, other))
        return 0;
    irl__auto_plan_begin(a, &p);
    irl__auto_halves_order(a, &p, &first, &second, other);
    /* the reordered loops of the second are outermost as those of the first are */
    second.loops[0] = second.loops[other[0]];
    if (irl__auto_halves_merge(a, &p, at, &first, &second, first.count))
        return irl__auto_merged(a, at, 0)->id;
    return (uint32_t)irl__auto_back(a, &before);
}

/* ------------------------------------------------------ loops around each of several statements */

/* Does an index use one of the loops from `top` inwards, down to `end`? */
static int irl__auto_index_uses(const irl_stmt *top, const irl_stmt *end, const irl_expr *index)
{
    for (; top != end; top = top->u.loop.body)
        if (irl__expr_uses_var(index, top->u.loop.var)) return 1;
    return 0;
}

/* A store, or loops around one that all reduce: they write one cell. */
static int irl__auto_is_one_cell(const irl_stmt *s)
{
    const irl_stmt *end = s, *store;
    while (end->kind == IRL__FOR) end = end->u.loop.body;
    const irl__block_data *b = end->kind == IRL__BLOCK ? end->u.block : NULL;
    store = b ? b->body : end;
    if (store->kind != IRL__STORE) return 0;
    for (int k = 0; k < store->u.store.buffer->rank; k++) {
        const irl_expr *index = store->u.store.indices[k];
        if (irl__auto_index_uses(s, end, index)) return 0;
        for (int j = 0; b && j < b->axis_count; j++)
            if (irl__expr_uses_var(index, b->axes[j].var) &&
                irl__auto_index_uses(s, end, b->axes[j].binding))
                return 0;
    }
    return 1;
}

int irl__auto_around_list(const irl_stmt *top, const irl_stmt **loops, const irl_stmt **list)
{
    const irl_stmt *s;
    int             count = 0;
    for (s = top; s->kind == IRL__FOR && count < IRL__AUTO_LOOPS; s = s->u.loop.body) {
        if (s->u.loop.kind != IRL_SERIAL && s->u.loop.kind != IRL_PARALLEL) return 0;
        loops[count++] = s;
    }
    *list = s;
    return s->kind == IRL__SEQ ? count : 0;
}

/* Does each of the statements write one cell, and does one of them sum it up? */
static int irl__auto_are_cells(const irl_stmt *list)
{
    int sums = 0, cells = 0;
    for (int k = 0; k < list->u.seq.count; k++) {
        const irl_stmt *at = list->u.seq.stmts[k];
        if (at->kind == IRL__ALLOC) continue;
        if (!irl__auto_is_one_cell(at)) return 0;
        sums += at->kind == IRL__FOR;
        cells++;
    }
    return sums && cells > 1;
}

/* Are they stores alone, several, and is one of them an update of a cell that the loop does not go
   through? */
static int irl__auto_has_sum(const irl_stmt *loop, const irl_stmt *list)
{
    int         sums = 0;
    irl__update u;
    for (int k = 0; k < list->u.seq.count; k++) {
        const irl_stmt *at = list->u.seq.stmts[k];
        if (at->kind != IRL__STORE) return 0;
        sums += irl__store_update(at, &u) &&
                !irl__exprs_use_var(at->u.store.buffer->rank, at->u.store.indices,
                                    loop->u.loop.var);
    }
    return sums && list->u.seq.count > 1;
}

/* Is what they allocate, once for each iteration, of so many elements that it may be all at once?
   */
static int irl__auto_is_little(const irl__auto *a, const irl_stmt *const *loops, int count,
                               const irl_stmt *list)
{
    int64_t all, each, one;
    int     k;
    for (k = 0, each = 0; k < list->u.seq.count; k++) {
        const irl_stmt *at = list->u.seq.stmts[k];
        if (at->kind != IRL__ALLOC) continue;
        if (!irl__auto_cells_of(at, &one) || !irl__add64(each, one, &each)) return 0;
    }
    for (k = 0, all = each; each && k < count; k++) {
        const irl_expr *extent = loops[k]->u.loop.extent;
        if (extent->op != IRL_OP_INT && a->target->subgroup) continue; /* a group makes a row */
        if (extent->op != IRL_OP_INT || !irl__mul64(all, extent->u.i, &all)) return 0;
    }
    return all <= IRL__AUTO_ALL_ROWS;
}

int irl__auto_apart(irl__auto *a, uint32_t id, int is_any, int *at)
{
    const irl_stmt *top = irl__auto_top(a->f, id), *body = irl__auto_body(a),
                   *list = NULL;
    const irl_stmt *loops[IRL__AUTO_LOOPS];
    irl__auto_plan  p;
    int             k, before = irl__stmt_count(body);
    if (a->is_once && irl__auto_distributes(a) > 0) return 0;
    k = irl__auto_around_list(top, loops, &list);
    /* scalars that both read are read once as it is written */
    const int is_sum = k && !is_any && a->target->vector_bytes &&
                       irl__auto_has_sum(loops[k - 1], list);
    /* inside of another loop they are no kernels */
    if ((!is_sum || !a->is_inside) &&
        irl__auto_iterations(top, IRL__AUTO_KERNELS) < IRL__AUTO_KERNELS)
        return 0;
    if (!k || !(is_any ? irl__auto_is_little(a, loops, k, list)
                       : is_sum || irl__auto_are_cells(list)))
        return 0;
    /* private arrays have numbers as extents */
    for (int j = 0; j < k && a->is_inside && !is_any; j++)
        if (loops[j]->u.loop.extent->op != IRL_OP_INT &&
            irl__stmt_holds(list, 1u << IRL__ALLOC))
            return 0;
    *at = body->kind == IRL__SEQ ? irl__auto_at(a, top) : 0; /* alone it is number 0 then */
    const char *reason = is_any ? "each statement for all rows: its accesses are contiguous, or "
                                  "shared between rows"
                         : is_sum ? "a sum in a separate loop is computed in vectors"
                                  : "first the sums of many cells, then the results from them";
    const char *part = is_sum ? irl__auto_name(a, loops[k - 1]->u.loop.var->u.name, "s") : NULL;
    irl__auto_plan_begin(a, &p);
    while (k-- > 0) {
        const char *var = irl__symbol_text(a->cx, loops[k]->u.loop.var->u.name);
        const char *name = irl__sched_loop_name(a->f, loops[k]);
        if (!name) return 0;
        if (is_sum && !p.steps) irl__auto_step(&p, reason, "%s = distribute(%s);", part, name);
        else if (is_sum) irl__auto_step(&p, "", "distribute(%s.%s);", part, var);
        else irl__auto_step(&p, p.steps ? "" : reason, "distribute(%s);", name);
    }
    if (!irl__auto_try(a, &p)) return 0;
    body = irl__auto_body(a);
    return body->kind == IRL__SEQ ? body->u.seq.count - before + 1 : 0;
}

/* ------------------------------------------------------------------ rows */

enum { IRL__AUTO_ROW_LEAST = 16 }; /* iterations of a loop that are worth vectors */

/* Does each access in an innermost loop stay where it is, or go on by one element with each
   iteration, and each store go on? */
static int irl__auto_is_row(irl__auto *a, irl__accesses *t, const irl__around *loop)
{
    const irl_expr *extent = loop->stmt->u.loop.extent;
    if (extent->op == IRL_OP_INT && extent->u.i < IRL__AUTO_ROW_LEAST) return 0;
    for (int k = loop->first; k < loop->end; k++) {
        const irl__access *at = &t->list[k];
        int                step = at->is_declared ? 1 : irl__auto_walks(a, t, at, loop->var);
        for (const irl__around *g = at->around; g && g != loop; g = g->outer)
            if (g->kind == IRL__AROUND_GUARD) return 0;
        if (step < 0 || (step == 0 && irl__access_writes(at))) return 0;
    }
    return 1;
}

/* Do all innermost loops of a nest run along rows of memory? Of such loops C compilers make
   vectors, which scalars in registers are no match for. */
static int irl__auto_are_rows(irl__auto *a, const irl_stmt *top)
{
    irl__arena_mark mark = irl__scratch_begin(a->cx);
    irl__accesses   t;
    const irl_stmt *s;
    irl__place      p;
    int             are_rows = irl__accesses_of(&t, a->f, top);
    for (irl__place_begin(&p, top); are_rows && (s = irl__place_next(&p)) != NULL;)
        if (s->kind == IRL__FOR && !irl__stmt_holds(s->u.loop.body, 1 << IRL__FOR))
            are_rows = irl__auto_is_row(a, &t, irl__loop_of(&t, s));
    irl__scratch_end(a->cx, mark);
    return are_rows;
}

/* Is a nest as fast as it is written, on a target that has no vectors? */
static int irl__auto_is_fast(irl__auto *a, uint32_t id)
{
    const irl_stmt *top = a->target->vector_bytes ? NULL : irl__auto_top(a->f, id);
    return top && irl__auto_may(a, top) && irl__auto_are_rows(a, top);
}

/* ------------------------------------------------------------------ cells that gather */

/* An index that two loops of the nest change: the longer one, and the other. */
typedef struct irl__auto_pair {
    const irl_stmt *loops[2];
    int             count; /* of loops that it uses */
} irl__auto_pair;

/* Do two iterations of the pair give the index one value? By a and b in each iteration, the first
   two that do are b/g apart in one loop and a/g in the other, where g divides both. */
static int irl__auto_pair_meets(irl__analyzer *an, const irl_expr *index,
                                const irl__auto_pair *pair)
{
    int64_t by[2], g;
    for (int k = 0; k < 2; k++) by[k] = irl__step_number(an, index, pair->loops[k]->u.loop.var);
    g = by[0] && by[1] && by[0] > INT64_MIN && by[1] > INT64_MIN ? irl__gcd64(by[0], by[1]) : 0;
    for (int k = 0; k < 2 && g; k++) {
        const int64_t apart = (by[1 - k] < 0 ? -by[1 - k] : by[1 - k]) / g;
        if (apart >= pair->loops[k]->u.loop.extent->u.i) return 0;
    }
    return g != 0;
}

static int irl__auto_pair_of(irl__analyzer *an, const irl_stmt *top, const irl_expr *index,
                             irl__auto_pair *pair)
{
    pair->count = 0;
    for (; top->kind == IRL__FOR; top = top->u.loop.body) {
        if (!irl__expr_uses_var(index, top->u.loop.var)) continue;
        if (pair->count == 2 || top->u.loop.kind != IRL_SERIAL ||
            top->u.loop.extent->op != IRL_OP_INT || top->u.loop.extent->u.i < 2)
            return 0;
        pair->loops[pair->count++] = top;
    }
    if (pair->count < 2 || !irl__auto_pair_meets(an, index, pair)) return 0;
    if (pair->loops[0]->u.loop.extent->u.i < pair->loops[1]->u.loop.extent->u.i) {
        const irl_stmt *longer = pair->loops[1];
        pair->loops[1] = pair->loops[0];
        pair->loops[0] = longer;
    }
    return 1;
}

/* The first index of the update that is a pair, if any. */
static int irl__auto_scatters(irl_ctx *cx, const irl_stmt *top, irl__auto_pair *pair)
{
    const irl_stmt *at = top;
    irl__update     u;
    while (at->kind == IRL__FOR) at = at->u.loop.body;
    while (at->kind == IRL__IF && !at->u.branch.else_) at = at->u.branch.then_;
    if (at->kind != IRL__STORE || !irl__store_update(at, &u)) return 0;
    irl__arena_mark mark = irl__scratch_begin(cx);
    irl__analyzer  *an = irl__analyzer_begin(cx);
    int             found = 0;
    for (int k = 0; an && !found && k < at->u.store.buffer->rank; k++)
        found = irl__auto_pair_of(an, top, at->u.store.indices[k], pair);
    irl__scratch_end(cx, mark);
    return found;
}

/* Of a nest that updates y[w + s] in loops w and s the loops over w become loops over y's cells. */
static void irl__auto_gather_cells(irl__auto *a, uint32_t id)
{
    irl__auto_pair pair;
    for (;;) {
        const irl_stmt *top = irl__auto_top(a->f, id);
        if (!top || !irl__auto_may(a, top) || !irl__auto_scatters(a->cx, top, &pair)) return;
        const char *cells = irl__sched_loop_name(a->f, pair.loops[0]);
        const char *terms = irl__sched_loop_name(a->f, pair.loops[1]);
        if (!cells || !terms || !irl__auto_do(a, "each cell gathers what was scattered to it",
                                              "gather(%s, %s);", cells, terms))
            return;
    }
}

enum { IRL__AUTO_WORK = 1 << 12 }; /* nests that are looked at, times nests of the function */

/* ------------------------------------------------------------------ sums of two statements */

/* The innermost loop of the last of two statements in the nest, the first being a store: a
   reduction as a person writes it, if anything. NULL: the nest is none such. */
static const irl_stmt *irl__auto_last_of_two(const irl_stmt *s)
{
    const irl_stmt *loop = NULL;
    while (s->kind == IRL__FOR) s = s->u.loop.body;
    if (s->kind != IRL__SEQ || s->u.seq.count != 2 || s->u.seq.stmts[0]->kind != IRL__STORE)
        return NULL;
    for (s = s->u.seq.stmts[1]; s->kind == IRL__FOR; s = s->u.loop.body) loop = s;
    return s->kind == IRL__STORE ? loop : NULL;
}

/* The innermost loop of a nest around one update and nothing else; NULL: it is no such nest. */
static const irl_stmt *irl__auto_update(const irl_stmt *s)
{
    const irl_stmt *loop = NULL;
    irl__update     u;
    for (; s->kind == IRL__FOR; s = s->u.loop.body) loop = s;
    return s->kind == IRL__STORE && irl__store_update(s, &u) ? loop : NULL;
}

/* Statements of the list in which the loop of that id stands. */
static int irl__auto_siblings(const irl_func *f, uint32_t id)
{
    irl__place p;
    int        k;
    if (!irl__place_of(f->body, id, &p)) return 0;
    for (k = p.count - 1; k >= 0 && p.at[k]->kind != IRL__SEQ; k--) {}
    return k < 0 ? 0 : p.at[k]->u.seq.count;
}

/* Is a nest called so? */
static int irl__auto_has_nest(const irl__auto *a, const char *name)
{
    irl_ctx              *cx = a->f->cx;
    irl__name_list        names;
    const irl__arena_mark mark = irl__scratch_begin(cx);
    int                   found = 0;
    if (irl__name_list_of(cx, a->f->body, &names))
        for (int k = 0; k < names.count && !found; k++)
            found = names.list[k].kind == IRL__NAMED_NEST && strcmp(names.list[k].name, name) == 0;
    irl__scratch_end(cx, mark);
    return found;
}

static int irl__auto_compose_as(irl__auto *a, const char *name, const char *nest)
{
    return irl__auto_do(a, "a store and the loops that update it", "%s = compose_reduction(%s);",
                        name, nest);
}

/* The nest whose innermost loop that is (NULL: none) becomes a block: of its name, if no other nest
   has that, and no store stays in front (is_begun: there is one), whose nest would have it. */
static int irl__auto_compose(irl__auto *a, const irl_stmt *loop, int is_begun)
{
    const irl__auto before = *a;
    const char     *name = loop ? irl__sched_nest_name(a->f, loop) : NULL;
    if (!name || !irl__auto_compose_as(a, name, name)) return 0;
    const int is_same_count = irl__auto_siblings(a->f, loop->id) ==
                              irl__auto_siblings(before.f, loop->id);
    if (!(is_begun && is_same_count) && !irl__auto_has_nest(a, name)) return 1;
    irl__auto_back(a, &before);
    return irl__auto_compose_as(a, irl__auto_name(a, name, "sum"), name);
}

/* The nest of that id, a store and loops that update it, becomes a block, if it is one. Loops
   around a store that stayed, and its sum, are loops around each. The id of the sum's nest. */
static uint32_t irl__auto_composed(irl__auto *a, uint32_t id)
{
    const irl_stmt *top = irl__auto_top(a->f, id), *body;
    int             at;
    if (!irl__auto_may(a, top)) return id;
    const irl_stmt *begun = irl__auto_last_of_two(top);
    const irl_stmt *loop = begun ? begun : irl__auto_update(top);
    if (!irl__auto_compose(a, loop, begun != NULL)) return id;
    a->deep++; /* what is parted was marked by that step */
    int made = irl__auto_apart(a, id, 0, &at);
    body = irl__auto_body(a);
    if (made == 2) {
        id = body->u.seq.stmts[at + 1]->id;
        irl__auto_nest_do(a, body->u.seq.stmts[at]->id);
    }
    a->deep--;
    return id;
}

/* The innermost loop of a nest that updates what the statement before it stored, among others.
   NULL: the nest is none such. */
static const irl_stmt *irl__auto_begun(const irl__auto *a, const irl_stmt *top)
{
    const irl_stmt *before, *loop = top, *s;
    const int       at = irl__auto_at(a, top);
    if (at < 1) return NULL;
    before = irl__auto_body(a)->u.seq.stmts[at - 1];
    for (s = top; s->kind == IRL__FOR; s = s->u.loop.body) loop = s;
    return before->kind == IRL__STORE && s->kind == IRL__STORE &&
                   s->u.store.buffer == before->u.store.buffer ? loop : NULL;
}

void irl__auto_compose_begun(irl__auto *a, uint32_t id)
{
    const irl_stmt *top = irl__auto_top(a->f, id);
    const irl_stmt *loop = irl__auto_may(a, top) ? irl__auto_last_of_two(top) : NULL;
    if (irl__auto_may(a, top)) irl__auto_compose(a, loop ? loop : irl__auto_begun(a, top), 1);
}

void irl__auto_compose_inside(irl__auto *a, uint32_t id)
{
    const uint32_t  around = a->around;
    const irl_stmt *s = irl__auto_top(a->f, id);
    if (!s) return; /* memory has failed on the way */
    while (s->u.loop.body->kind == IRL__FOR) s = s->u.loop.body;
    a->around = s->id;
    s = s->u.loop.body;
    for (int k = 0; k < irl__stmt_count(s); k++) {
        const irl_stmt *at = irl__stmt_at(s, k);
        if (at->kind == IRL__FOR) irl__auto_compose_begun(a, at->id);
    }
    a->around = around;
}

/* Nothing was decided behind steps that alone win nothing: they are gone, and the lines of reasons
   behind them stay. */
static void irl__auto_without(irl__auto *a, const irl__auto *before)
{
    const char *line = a->text.data ? a->text.data + before->text.length : "", *end;
    irl__text   reasons;
    const int64_t left = a->left;
    irl__text_init(&reasons, a->cx);
    for (; (end = strchr(line, '\n')) != NULL; line = end + 1)
        if (strncmp(line + strspn(line, " "), "//", 2) == 0)
            irl__text_append(&reasons, line, (size_t)(end + 1 - line));
    irl__auto_back(a, before);
    a->left = left;
    if (reasons.length) irl__text_append(&a->text, reasons.data, reasons.length);
}

/* Such a nest is decided as a block; if nothing follows but a reason, a store in front of the loops
   is the better form. 0: it is none, or a failure. */
static int irl__auto_begun_do(irl__auto *a, uint32_t id, int *is_done)
{
    const irl__auto before = *a;
    const irl_stmt *loop = irl__auto_begun(a, irl__auto_top(a->f, id));
    if (!irl__auto_compose(a, loop, 1)) return 0;
    *is_done = irl__auto_nest_do(a, id);
    if (!*is_done) irl__auto_without(a, &before);
    return irl__ok(a->cx);
}

/* ------------------------------------------------------------------ the list */

/* Does a row read each cell of that temporary once: is each of its indices a number, or but for one
   a loop of its own? Sets these; -1: a number. */
static int irl__auto_is_cell(const irl__auto_nest *n, const irl__auto_row *row,
                             const char *temporary, int *loops)
{
    const irl__access *a = row->access;
    int                j, count = 0;
    if (row->is_write || !a->buffer || strcmp(a->buffer->name, temporary) != 0 ||
        irl__func_param_of(n->f, a->memory) >= 0 || !irl__auto_loops_near(n, a, loops))
        return 0;
    for (int k = 0; k < a->rank; k++) {
        for (j = 0; j < k && loops[j] != loops[k]; j++) {}
        if (loops[k] >= 0 && j < k) return 0;
        count += loops[k] >= 0;
    }
    return count == n->loop_count;
}

/* Does the nest write at other loops' indices than it reads that cell, or in another order? */
static int irl__auto_is_turned(const irl__auto_nest *n, const int *loops, int rank)
{
    const irl__access *w = n->rows[n->written].access;
    int                k = 0, at = 0, written[IRL_MAX_RANK];
    if (!irl__auto_loops_near(n, w, written)) return 1;
    for (;; k++, at++) {
        while (k < w->rank && written[k] < 0) k++;
        while (at < rank && loops[at] < 0) at++;
        if (k == w->rank || at == rank) return k < w->rank || at < rank;
        if (written[k] != loops[at]) return 1;
    }
}

/* How the nest behind a sum, which reads it cell by cell, stores what it computes. */
static void irl__auto_tell_end(irl__auto *a, const char *sum, uint32_t id)
{
    irl__arena_mark      mark = irl__scratch_begin(a->cx);
    const irl__auto_row *cell = NULL;
    irl__auto_nest       n;
    int                  loops[IRL_MAX_RANK], j;
    a->end.sum = NULL;
    if (irl__auto_nest_at(&n, a, id) && !n.is_reduction)
        for (int k = 0; k < n.row_count && !cell; k++)
            if (irl__auto_is_cell(&n, &n.rows[k], sum, loops)) cell = &n.rows[k];
    if (cell) {
        const irl__auto_row *w = &n.rows[n.written];
        a->end.sum = sum;
        a->end.nest = id;
        a->end.rank = cell->access->rank;
        a->end.is_turned = irl__auto_is_turned(&n, loops, a->end.rank);
        for (int k = 0; k < a->end.rank; k++) {
            a->end.extent[k] = 0;
            if ((j = loops[k]) < 0) continue;
            a->end.extent[k] = n.loops[j].extent;
            a->end.step[k] = w->step[j];
            a->end.run[k] = w->run[j];
            a->end.is_even[k] = w->is_even[j];
        }
    }
    irl__scratch_end(a->cx, mark);
}

/* What a nest at the top sums up; NULL: it is no reduction. */
static const char *irl__auto_sum_of(irl__auto *a, uint32_t id)
{
    irl__arena_mark mark = irl__scratch_begin(a->cx);
    const char     *name = NULL;
    irl__auto_nest  n;
    if (irl__auto_nest_at(&n, a, id) && n.is_reduction)
        name = n.store->u.store.buffer->name;
    irl__scratch_end(a->cx, mark);
    return name;
}

int irl__auto_copied_do(irl__auto *a, uint32_t id, uint32_t next)
{
    const char *sum = irl__auto_sum_of(a, id);
    if (sum) irl__auto_tell_end(a, sum, next);
    a->end.is_turned = 0; /* it is flattened */
    return sum && a->end.sum && irl__auto_nest_do(a, id) && a->end.sum &&
           irl__auto_behind(a, next);
}

/* A step that takes a loop alone. */
static int irl__auto_loop_step(irl__auto *a, const irl_stmt *top, const char *reason,
                               const char *format)
{
    const char *name = irl__sched_loop_name(a->f, top);
    return name && irl__auto_do(a, reason, format, name);
}

/* Lets and conditions in the loops of a nest become part of what it stores. */
static int irl__auto_stores(irl__auto *a, const irl_stmt *top)
{
    return top && irl__stmt_holds(top, 1u << IRL__LET | 1u << IRL__IF) &&
           irl__auto_loop_step(a, top, "lets and conditions become part of the store",
                               "compose_store(%s);");
}

/* Does all that it computes stand in a condition, in these loops? */
static int irl__auto_is_guarded(const irl_stmt *top)
{
    while (top->kind == IRL__FOR) top = top->u.loop.body;
    return top->kind == IRL__IF && !top->u.branch.else_;
}

/* A nest, and what follows it (0: nothing) if that reads its sums cell by cell. Whether anything
   was decided. */
static int irl__auto_top_do(irl__auto *a, uint32_t id, uint32_t next)
{
    const irl__auto before = *a;
    const uint32_t  nest = id;
    int             is_done = 0, is_tight;
    if (irl__auto_begun_do(a, id, &is_done)) return is_done;
    /* Conditions around what a nest computes become bounds of its loops. */
    const irl_stmt *top = irl__auto_top(a->f, id);
    if (!top) return 0; /* memory has failed on the way */
    is_tight =
        irl__auto_may(a, top) && irl__auto_is_guarded(top) &&
        irl__auto_loop_step(a, top, "the condition becomes bounds of the loops", "tighten(%s);");
    id = irl__auto_composed(a, id);
    const char *sum = next ? irl__auto_sum_of(a, id) : NULL;
    if (sum && irl__auto_may(a, irl__auto_top(a->f, next)))
        irl__auto_stores(a, irl__auto_top(a->f, next));
    if (sum) irl__auto_tell_end(a, sum, next);
    a->deep += id != nest;
    is_done = irl__auto_nest_do(a, id);
    a->deep -= id != nest;
    if (a->end.sum && !a->end.is_turned && irl__ok(a->cx)) irl__auto_behind(a, next);
    if ((!is_tight && id == nest) || is_done || !irl__ok(a->cx)) return is_done;
    irl__auto_back(a, &before);
    return irl__auto_nest_do(a, nest); /* which says why it stays */
}

/* What irl__auto_join made. */
static int irl__auto_joined_do(irl__auto *a, uint32_t id)
{
    irl__auto_stores(a, irl__auto_top(a->f, id));
    a->deep++;
    int is_done = irl__auto_nest_do(a, irl__auto_composed(a, id));
    a->deep--;
    return is_done;
}

static int irl__auto_ids_do(irl__auto *a, const uint32_t *ids, int count);

int irl__auto_aparts_do(irl__auto *a, int at, int made)
{
    const irl_stmt *body = irl__auto_body(a);
    uint32_t       *ids = IRL__NEW(a->cx, uint32_t, made);
    int             count = 0, is_done;
    for (int k = at; ids && body->kind == IRL__SEQ && k < at + made; k++)
        if (body->u.seq.stmts[k]->kind == IRL__FOR) ids[count++] = body->u.seq.stmts[k]->id;
    if (!ids) return 0;
    a->deep++;
    is_done = irl__auto_ids_do(a, ids, count);
    a->deep--;
    return is_done;
}

/* One nest of a list as it is, or two that are one. Whether anything was decided. */
static int irl__auto_one_do(irl__auto *a, uint32_t id, uint32_t next)
{
    const irl__auto before = *a;
    const int       is_fast = irl__auto_is_fast(a, id);
    uint32_t        joined = next && !(is_fast && irl__auto_is_fast(a, next))
                                 ? irl__auto_join(a, id, next) : 0;
    int             is_composed, is_done = 0, at, made;
    if (joined && (irl__auto_joined_do(a, joined) || irl__auto_back(a, &before))) return 1;
    const irl_stmt *top = irl__auto_top(a->f, id);
    if (is_fast && top)
        irl__auto_leave(a, top->u.loop.var->u.name, "compilers make vectors of loops along memory");
    if (is_fast) return 0;
    is_composed = irl__auto_may(a, top) && irl__auto_stores(a, top);
    top = irl__auto_top(a->f, id);
    made = irl__auto_may(a, top) && !irl__auto_last_of_two(top) ? irl__auto_apart(a, id, 0, &at)
                                                                : 0;
    if (made && (irl__auto_aparts_do(a, at, made) || irl__auto_back(a, &before))) return 1;
    if (made) is_composed = irl__auto_stores(a, irl__auto_top(a->f, id));
    is_done = irl__auto_top_do(a, id, next);
    if (!is_done && is_composed) irl__auto_without(a, &before);
    return is_done;
}

/* Does a loop in s have bounds that depend on one of the loops around it in the nest? */
static int irl__auto_is_ragged(const irl_stmt *s, const irl_stmt *top)
{
    if (s->kind == IRL__IF) return irl__auto_is_ragged(s->u.branch.then_, top);
    for (int k = 0; s->kind == IRL__SEQ && k < s->u.seq.count; k++)
        if (irl__auto_is_ragged(s->u.seq.stmts[k], top)) return 1;
    if (s->kind != IRL__FOR) return 0;
    for (; top != s && top->kind == IRL__FOR; top = top->u.loop.body)
        if (irl__stmt_bounds_use(s, top->u.loop.var)) return 1;
    return irl__auto_is_ragged(s->u.loop.body, top);
}

int irl__auto_is_of_data(const irl_stmt *s, const void *var)
{
    return s->kind == IRL__FOR &&
           (((s->u.loop.min->flags | s->u.loop.extent->flags) & IRL__HAS_MEMORY) ||
            (var && irl__stmt_bounds_use(s, (const irl_expr *)var)));
}

/* The innermost loop around a loop with ragged bounds and something else; NULL: it is none such. */
static const irl_stmt *irl__auto_around_sum(const irl_stmt *s)
{
    while (s->kind == IRL__FOR && s->u.loop.body->kind == IRL__FOR) s = s->u.loop.body;
    return s->kind == IRL__FOR && s->u.loop.body->kind == IRL__SEQ ? s : NULL;
}

/* One nest: where bounds depend on loops, between numbers, if anything is decided of it then. */
static int irl__auto_id_do(irl__auto *a, uint32_t id, uint32_t next)
{
    const irl_stmt *top = irl__auto_top(a->f, id);
    /* Powers by small whole numbers become products: no compiler makes vectors of pow. */
    if (irl__auto_may(a, top) && !irl__auto_is_strict(a->f, a->target) &&
        irl__stmt_any(top, NULL, irl__power_of, NULL))
        irl__auto_loop_step(a, top, "attr(numbers) allows it by default", "expand_powers(%s);");
    const irl__auto before = *a;
    top = irl__auto_top(a->f, id);
    const int is_ragged = !a->is_inside && irl__auto_may(a, top) &&
                          irl__auto_is_ragged(top, top) &&
                          !irl__stmt_any(top, irl__auto_is_of_data, NULL, NULL);
    const irl_stmt *sums = is_ragged && !a->target->banks ? irl__auto_around_sum(top) : NULL;
    if (sums && irl__auto_loop_step(a, sums, "each sum continues the one before",
                                    "continue_sum(%s);"))
        return 1;
    /* iterations that do nothing cost little where they are lanes of vectors */
    if (is_ragged && a->target->vector_bytes &&
        irl__auto_loop_step(a, top, "bounds that depend on other loops become conditions",
                            "widen(%s);") &&
        (irl__auto_one_do(a, id, next) || irl__auto_back(a, &before)))
        return 1;
    return irl__auto_one_do(a, id, next);
}

/* Whether anything was decided. */
static int irl__auto_ids_do(irl__auto *a, const uint32_t *ids, int count)
{
    const int most = IRL__AUTO_WORK / (count + 1) + 1; /* each is found by a walk over all */
    int       joined, is_done = 0;
    for (int k = 0; k < count && k < most && !a->has_bits; k++)
        if (!irl__auto_is_fast(a, ids[k])) irl__auto_gather_cells(a, ids[k]);
    for (int k = 0; k < count && irl__ok(a->cx); k++) {
        if (a->steps > IRL__AUTO_STEPS || k >= most) {
            irl__text_puts(&a->text, "    // the rest is not scheduled: the function is too "
                                     "large\n");
            break;
        }
        const irl_stmt *top = irl__auto_top(a->f, ids[k]), *body = irl__auto_body(a);
        if (!top || (top != body && irl__auto_at(a, top) < 0)) continue; /* in the one before */
        if (a->has_bits) irl__auto_bits_do(a, ids[k]);
        else if (irl__auto_rows_join(a, ids + k, count - k)) is_done = 1;
        else if ((joined = irl__group_rows_join(a, ids + k, count - k)) > 0) {
            is_done = 1;
            k += joined - 1;
        }
        else is_done |= irl__auto_id_do(a, ids[k], k + 1 < count ? ids[k + 1] : 0);
    }
    return is_done;
}

void irl__auto_list_do(irl__auto *a)
{
    const irl_stmt *body = irl__auto_body(a);
    const int       most = irl__stmt_count(body);
    uint32_t       *ids = IRL__NEW(a->cx, uint32_t, most);
    int             count = 0;
    for (int k = 0; ids && k < most; k++)
        if (irl__stmt_at(body, k)->kind == IRL__FOR) ids[count++] = irl__stmt_at(body, k)->id;
    if (ids) irl__auto_ids_do(a, ids, count);
}
