/* auto_join.c - sums that are said in several statements.

   needs     auto.c
   promises  a nest that stores what sums begin with, and the nest behind it that adds to them, in
             whatever order of its loops (y[i, j] = 0 everywhere, then y[i, j] += a[i, k] * b[k,
             j]), are one nest, which compose_reduction makes a block of; where a step is refused,
             all is as it was */
#include "auto.h"

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
    int               k, i, j, found = 0;
    if (second->store->u.store.buffer != b || second->count <= first->count ||
        first->store->u.store.value->flags & IRL__HAS_MEMORY ||
        first->loops[first->count - 1]->u.loop.body != first->store ||
        !irl__store_update(second->store, &u))
        return 0;
    for (k = 0; k < b->rank; k++) {
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

/* As a step writes the loop's variable. */
static const char *irl__auto_half_name(irl__auto *a, const irl__auto_half *h, int k)
{
    return irl__text_or_empty(irl__auto_symbol(a->cx, h->loops[k]->u.loop.var->u.name));
}

/* The second's loops in the first's order, those that it has alone behind them. */
static void irl__auto_halves_order(irl__auto *a, irl__auto_plan *p, const irl__auto_half *first,
                                   const irl__auto_half *second, const int *other)
{
    int k, j, is_there = 1;
    for (k = 0; k < first->count; k++) is_there &= other[k] == k;
    if (is_there) return;
    irl__text_puts(&p->text, "    reorder(");
    for (k = 0; k < first->count; k++)
        irl__textf(&p->text, "%s%s.%s", k ? ", " : "", second->name,
                   irl__auto_half_name(a, second, other[k]));
    for (j = 0; j < second->count; j++) {
        for (k = 0; k < first->count && other[k] != j; k++) {}
        if (k == first->count)
            irl__textf(&p->text, ", %s.%s", second->name, irl__auto_half_name(a, second, j));
    }
    irl__text_puts(&p->text, "); // each store of a first value becomes the init of its sum\n");
    p->steps++;
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
        irl__auto_step(p, "", "merge(%s.%s, %s.%s);", first->name,
                       irl__auto_half_name(a, first, 0), second->name,
                       irl__auto_half_name(a, second, 0));
        if (!irl__auto_try(a, p)) return 0;
        const irl_stmt *s = irl__auto_merged(a, at, k + 1);
        if (!s || s->kind != IRL__SEQ || s->u.seq.count != 2) return 0;
        if (k + 1 < count && (!irl__auto_half_of(a, s->u.seq.stmts[0], first) ||
                              !irl__auto_half_of(a, s->u.seq.stmts[1], second)))
            return 0;
    }
    return 1;
}

uint32_t irl__auto_join(irl__auto *a, uint32_t id, uint32_t next)
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
    irl__auto_back(a, &before);
    return 0;
}
