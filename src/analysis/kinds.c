/* kinds.c - the kinds of the axes of a block, and of the block: how its instances, one for each
   value of the axes, access cells that they have in common.

   needs     pair.c, commute.c
   promises  SPATIAL is proved; a collision is two iterations that were evaluated, with the cell
   cost      a small system for each pair of accesses of one memory and each axis; nothing if the
             axis alone is an index of both, or if each iteration allocates the memory. Bounded by
             IRL__KINDS_STEPS for each question */
#include "analysis.h"

enum { IRL__KINDS_STEPS = 400000 };

static const char irl__kinds_steps[] = "too many steps";

typedef struct irl__kinds {
    irl__accesses         *t;
    const irl__around     *block;
    const irl__block_data *b;
    int64_t                steps;
} irl__kinds;

static void irl__kinds_begin(irl__kinds *s, irl__accesses *t, const irl__around *block,
                             irl__meeting *m)
{
    s->t = t;
    s->block = block;
    s->b = block->stmt->u.block;
    s->steps = IRL__KINDS_STEPS;
    memset(m, 0, sizeof *m);
    m->answer = IRL_NO;
}

/* ------------------------------------------------------------------ which accesses */

/* Is it an access of an instance, to memory that others see? */
static int irl__kinds_counts(const irl__kinds *s, int row)
{
    const irl__access *a = &s->t->list[row];
    return !a->is_declared && !(a->allocation && a->allocation->depth > s->block->depth);
}

/* The store or the load of y[v] = y[v] op e; or of the init, which may begin with what y[v]
   holds. */
static int irl__kinds_reduces(const irl__kinds *s, const irl__access *a)
{
    irl_op     op;
    irl__place p;
    if (s->b->init && irl__place_seek(s->b->init, 0, a->place, &p))
        return a->kind == IRL__ACCESS_WRITE || a->kind == IRL__ACCESS_UPDATE || a->of_pair >= 0;
    if (a->kind == IRL__ACCESS_UPDATE) return irl__update_operator(a, &op);
    if (a->kind == IRL__ACCESS_READ && a->of_pair >= 0)
        return irl__update_operator(&s->t->list[a->of_pair], &op);
    return 0;
}

/* ------------------------------------------------------------------ one question */

/* The axis is bound to what is one number while the memory lives: instances that differ in it are
   in memory of their own (irl__pair_own_memory says the same to a system). What is bound outside of
   the memory is one number, unless work-items have the memory together. */
static int irl__kinds_is_own(const irl__kinds *s, int axis, const irl__access *a)
{
    const irl_expr    *value = s->b->axes[axis].binding;
    const irl__around *memory = a->allocation, *at = s->block->outer, *end = memory;
    if (!memory || (value->flags & IRL__HAS_MEMORY)) return 0;
    if (irl__around_next(memory->outer, IRL__AROUND_LOOP) !=
        irl__around_owner(memory->outer, memory))
        end = NULL;
    for (; at && at != end; at = at->outer)
        if (at->var && irl__expr_uses_var(value, at->var)) return 0;
    return at == end;
}

/* Do instances that stand so to one another by their axes meet? */
static irl_answer irl__kinds_ask(irl__kinds *s, const irl__access *a, const irl__access *b,
                                 const uint8_t *relation, int count, const irl_expr *const *axes,
                                 const uint8_t *order, irl__meeting *m)
{
    irl_answer answer = IRL_UNKNOWN;
    m->reason = irl__kinds_steps;
    m->answer = IRL_UNKNOWN;
    m->a = a;
    m->b = b;
    if (s->steps <= 0) return IRL_UNKNOWN;
    irl__arena_mark mark = irl__scratch_begin(s->t->cx);
    irl__pair      *p = irl__pair_begin(s->t, a, b, IRL__PAIR_STEPS);
    if (p) {
        answer = irl__pair_meets_where(p, relation, count, axes, axes, order, m);
        s->steps -= irl__pair_used(p);
    }
    irl__scratch_end(s->t->cx, mark);
    return answer;
}

static irl_answer irl__kinds_differ(irl__kinds *s, int axis, const irl__access *a,
                                    const irl__access *b, irl__meeting *m)
{
    static const uint8_t other = IRL__BEFORE | IRL__AFTER;
    const irl_expr *const *var = &s->b->axes[axis].var;
    if (irl__access_alias(s->t, a, b) == IRL_NO ||
        (irl__access_is_plain(a, b) &&
         irl__indices_tell(a->rank, a->indices, *var, b->indices, *var)) ||
        (a->memory == b->memory && irl__kinds_is_own(s, axis, a)))
        return IRL_NO;
    return irl__kinds_ask(s, a, b, NULL, 1, var, &other, m);
}

/* ------------------------------------------------------------------ axes */

static int irl__kinds_worse(irl__meeting *m, const irl__meeting *one)
{
    if (one->answer == IRL_NO || m->answer == IRL_YES) return 0;
    if (one->answer == IRL_YES || m->answer == IRL_NO) *m = *one;
    return one->answer == IRL_YES;
}

irl__axis_kind irl__axis_kind_of(irl__accesses *t, const irl__around *block, int axis,
                                 irl__meeting *m)
{
    irl__kinds     s;
    irl__axis_kind kind = IRL__KIND_SPATIAL;
    irl__meeting   one, own;
    int            j;
    if (!m) m = &own;
    irl__kinds_begin(&s, t, block, m);
    irl__meeting updates = *m;
    for (int k = block->first; k < block->end; k++)
        for (j = k; irl__kinds_counts(&s, k) && j < block->end; j++) {
            const irl__access *a = &t->list[k], *b = &t->list[j];
            if ((!irl__access_writes(a) && !irl__access_writes(b)) ||
                !irl__kinds_counts(&s, j))
                continue;
            int reduces = irl__kinds_reduces(&s, a) && irl__kinds_reduces(&s, b);
            if (reduces && updates.answer == IRL_YES) continue; /* it is known to reduce */
            one.answer = irl__kinds_differ(&s, axis, a, b, &one);
            if (one.answer == IRL_NO) continue;
            if (reduces) {
                if (kind == IRL__KIND_SPATIAL) kind = IRL__KIND_REDUCE;
                irl__kinds_worse(&updates, &one);
                continue;
            }
            kind = IRL__KIND_OPAQUE;
            if (irl__kinds_worse(m, &one)) return kind;
        }
    if (kind == IRL__KIND_REDUCE) *m = updates;
    return kind;
}

int irl__block_only_reduces(irl__accesses *t, const irl__around *block)
{
    irl__kinds   s;
    irl__meeting m;
    int          j;
    irl__kinds_begin(&s, t, block, &m);
    for (int k = block->first; k < block->end; k++)
        for (j = k; irl__kinds_counts(&s, k) && j < block->end; j++) {
            const irl__access *a = &t->list[k], *b = &t->list[j];
            if ((irl__access_writes(a) || irl__access_writes(b)) && irl__kinds_counts(&s, j) &&
                !(irl__kinds_reduces(&s, a) && irl__kinds_reduces(&s, b)) &&
                irl__access_alias(t, a, b) != IRL_NO)
                return 0;
        }
    return 1;
}

irl_answer irl__axis_collides(irl__accesses *t, const irl__around *block, int axis,
                              irl__meeting *m)
{
    irl__kinds   s;
    irl__meeting one, own;
    int          j;
    if (!m) m = &own;
    irl__kinds_begin(&s, t, block, m);
    for (int k = block->first; k < block->end; k++)
        for (j = k; t->list[k].kind != IRL__ACCESS_READ && j < block->end; j++) {
            const irl__access *a = &t->list[k], *b = &t->list[j];
            if (b->kind == IRL__ACCESS_READ || a->kind == IRL__ACCESS_OPAQUE ||
                b->kind == IRL__ACCESS_OPAQUE || !irl__kinds_counts(&s, k) ||
                !irl__kinds_counts(&s, j))
                continue;
            one.answer = irl__kinds_differ(&s, axis, a, b, &one);
            if (irl__kinds_worse(m, &one)) return IRL_YES;
        }
    return m->answer;
}

/* ------------------------------------------------------------------ instances of equal axes */

/* The loops of one instance of the block around, if there is one. What an init begins anew is not
   repeated: of a block that has one, the loops inside of the first that a reduction goes over. */
static int irl__kinds_first_loop(const irl__kinds *s)
{
    const irl__around *n = irl__around_next(s->block->outer, IRL__AROUND_LOOP),
                      *outer = irl__around_next(s->block->outer, IRL__AROUND_BLOCK);
    int k, first = outer ? outer->loop_count : 0, reduced = s->block->loop_count;
    for (; n; n = irl__around_next(n->outer, IRL__AROUND_LOOP))
        for (k = 0; k < s->b->axis_count; k++)
            if (s->b->axes[k].is_reduction &&
                irl__expr_uses_var(irl__accesses_plain(s->t, s->b->axes[k].binding), n->var))
                reduced = n->loop_count - 1;
    return s->b->init && reduced > first ? reduced : first;
}

/* Is every loop from there on told by the axes: is each the binding of one? */
static int irl__kinds_axes_tell(const irl__kinds *s, int first)
{
    const irl__around *n = irl__around_next(s->block->outer, IRL__AROUND_LOOP);
    int                k;
    for (; n && n->loop_count > first; n = irl__around_next(n->outer, IRL__AROUND_LOOP)) {
        for (k = 0; k < s->b->axis_count && s->b->axes[k].binding != n->var; k++) {}
        if (k == s->b->axis_count) return 0;
    }
    return 1;
}

static irl_answer irl__kinds_repeats(irl__kinds *s, const irl__access *a, int first,
                                     irl__meeting *m)
{
    const irl_expr *axes[IRL_MAX_RANK];
    uint8_t         order[IRL_MAX_RANK], relation[IRL_MAX_DEPTH];
    const int       loops = irl__access_loop_count(a), outer = s->block->loop_count;
    irl__meeting    one;
    if (s->b->axis_count > IRL_MAX_RANK || loops > IRL_MAX_DEPTH) return IRL_NO;
    for (int k = 0; k < s->b->axis_count; k++) {
        axes[k] = s->b->axes[k].var;
        order[k] = IRL__SAME;
    }
    memset(relation, IRL__ANY, (size_t)loops);
    memset(relation, IRL__SAME, (size_t)first);
    for (int k = first; k < outer; k++) {
        relation[k] = IRL__BEFORE;
        one.answer = irl__kinds_ask(s, a, a, relation, s->b->axis_count, axes, order, &one);
        if (irl__kinds_worse(m, &one)) break;
        relation[k] = IRL__SAME;
    }
    return m->answer;
}

/* YES: two instances with the same values of all axes, in one instance of the block around them,
   update one cell, which is then updated more than once. */
static irl_answer irl__block_repeats(irl__accesses *t, const irl__around *block, irl__meeting *m)
{
    irl__kinds s;
    irl__kinds_begin(&s, t, block, m);
    int first = irl__kinds_first_loop(&s);
    if (irl__kinds_axes_tell(&s, first)) return IRL_NO;
    for (int k = block->first; k < block->end && m->answer != IRL_YES; k++)
        if (t->list[k].kind == IRL__ACCESS_UPDATE && irl__kinds_counts(&s, k))
            irl__kinds_repeats(&s, &t->list[k], first, m);
    return m->answer;
}

/* ------------------------------------------------------------------ blocks */

/* Is a variable of a loop around the block used in it past the axes, other than on memory that is
   allocated inside of that loop? */
static int irl__kinds_uses_outer(const irl__kinds *s, const irl__access *a)
{
    const irl__around *n = irl__around_next(s->block->outer, IRL__AROUND_LOOP), *memory;
    for (; n; n = irl__around_next(n->outer, IRL__AROUND_LOOP)) {
        for (memory = a->around; memory != n; memory = memory->outer)
            if (memory->kind == IRL__AROUND_MEMORY && memory->buffer->data == a->memory) break;
        if (memory != n) continue; /* its own in each iteration */
        if (irl__exprs_use_var(a->rank, a->indices, n->var) ||
            (a->place->kind == IRL__STORE && irl__expr_uses_var(a->place->u.store.value, n->var)))
            return 1;
    }
    return 0;
}

irl__block_kind irl__block_kind_of(irl__accesses *t, const irl__around *block,
                                   const irl__axis_kind *axes, const char **why)
{
    irl__kinds      s;
    irl__meeting    m;
    irl__block_kind kind = IRL__BLOCK_COMPLETE;
    irl__kinds_begin(&s, t, block, &m);
    *why = "an axis is opaque";
    for (int k = 0; k < s.b->axis_count; k++) {
        if (axes[k] == IRL__KIND_OPAQUE) return IRL__BLOCK_OPAQUE;
        if (axes[k] == IRL__KIND_REDUCE) kind = IRL__BLOCK_REDUCTION;
    }
    for (int k = block->first; k < block->end; k++) {
        const irl__access *a = &t->list[k];
        if (!irl__kinds_counts(&s, k)) continue;
        *why = "memory is passed to a call";
        if (a->kind == IRL__ACCESS_OPAQUE) return IRL__BLOCK_OPAQUE;
        *why = "it uses a variable from outside directly, not through its axes";
        if (irl__kinds_uses_outer(&s, a)) return IRL__BLOCK_OPAQUE;
        if (a->kind == IRL__ACCESS_READ) continue;
        *why = "another statement writes what it writes";
        /* Memory that a statement outside of the block writes. */
        for (int i = 0; i < s.t->count; i++)
            if ((i < s.block->first || i >= s.block->end) && s.t->list[i].memory == a->memory &&
                s.t->list[i].kind != IRL__ACCESS_READ && !s.t->list[i].is_declared)
                return IRL__BLOCK_OPAQUE;
        *why = "it reads what it writes";
        for (int j = block->first; j < block->end; j++)
            if (t->list[j].kind == IRL__ACCESS_READ && irl__kinds_counts(&s, j) &&
                irl__access_alias(t, a, &t->list[j]) != IRL_NO &&
                !(irl__kinds_reduces(&s, a) && irl__kinds_reduces(&s, &t->list[j])))
                return IRL__BLOCK_OPAQUE;
        if (irl__kinds_reduces(&s, a)) kind = IRL__BLOCK_REDUCTION;
    }
    *why = "instances with the same axes update one cell";
    if (irl__block_repeats(t, block, &m) != IRL_NO) return IRL__BLOCK_OPAQUE;
    *why = NULL;
    return kind;
}
