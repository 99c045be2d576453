/* enter.c - what is known of an iteration that reaches a place, as questions about sets read it.

   needs     the table of accesses; system.h
   promises  every loop, let, axis, guard and check around the place is given, from the outside in
   cost      linear in what stands around */
#include "access.h"
#include "../sets/system.h"

void irl__enter_begin(irl__system *s, irl__accesses *t, int64_t steps)
{
    irl__system_begin(s, t->cx, t->f, &t->of_var, steps);
}

static int irl__enter_shares(const irl_expr *e, const void *about)
{
    return e->op == IRL_OP_VAR && irl__expr_uses_var((const irl_expr *)about, e);
}

/* An assertion of what is in memory, and of nothing that the question speaks of: some data keep
   it. */
static int irl__enter_is_of_data(irl__accesses *t, const irl__around *n, const irl_expr *about)
{
    const irl_expr *e =
        about && n->kind == IRL__AROUND_CHECK ? irl__accesses_plain(t, n->value) : NULL;
    return e && (e->flags & IRL__HAS_MEMORY) && !irl__expr_any(e, irl__enter_shares, about);
}

/* False: nothing is known by it. */
static int irl__enter_given(irl__accesses *t, const irl__around *n, const irl_expr *about,
                            irl__given *g)
{
    memset(g, 0, sizeof *g);
    g->is_own = n->loop_count > 0;
    g->is_assumed = n->kind == IRL__AROUND_CHECK;
    g->var = n->var;
    g->value = n->value;
    switch (n->kind) {
    case IRL__AROUND_LOOP:
        g->kind = IRL__GIVEN_RANGE;
        g->value = n->stmt->u.loop.min;
        g->extent = n->stmt->u.loop.extent;
        return 1;
    case IRL__AROUND_LET:
    case IRL__AROUND_AXIS: g->kind = IRL__GIVEN_VALUE; return 1;
    case IRL__AROUND_GUARD:
    case IRL__AROUND_CHECK:
        g->kind = IRL__GIVEN_CONDITION;
        return !irl__enter_is_of_data(t, n, about);
    default: return 0;
    }
}

irl__given *irl__enter_list(irl__accesses *t, const irl__around *around, const irl_expr *about,
                            const uint8_t *runs, int *count)
{
    const irl__around **list = irl__around_binders(t->cx, around, 0, count);
    const int           nodes = *count;
    irl__given *g = IRL__SCRATCH(t->cx, irl__given, nodes + 1);
    *count = 0;
    if (!list) return NULL;
    for (int k = 0; g && k < nodes; k++) {
        irl__given *one = &g[*count];
        if (!irl__enter_given(t, list[k], about, one)) continue;
        one->is_still = one->kind == IRL__GIVEN_RANGE && runs && !runs[list[k]->number];
        ++*count;
    }
    return g;
}

void irl__enter(irl__system *s, irl__accesses *t, int copy, const irl__around *around,
                const irl_expr *about)
{
    int         count;
    irl__given *g = irl__enter_list(t, around, about, NULL, &count);
    if (!g) s->failed = 1;
    for (int k = 0; copy > 0 && k < count; k++)
        for (int j = 0; !g[k].is_own && j < s->given_count[0]; j++)
            if (s->given[0][j].var == g[k].var && s->given[0][j].value == g[k].value)
                g[k].is_shared = 1;
    irl__system_enter(s, copy, g, count);
}
