/* change_uses.c - the parts of a map's outputs, and which part all uses of a variable go through.

   needs     only expressions
   promises  operands come before the parts that use them; `above` is the nearest part on all ways
             up, the number of parts where there is none */
#include "change.h"

int irl__uses_find(const irl__uses *u, const irl_expr *e)
{
    return (int)(uintptr_t)irl__ptr_map_get(&u->at, e) - 1;
}

irl__holds irl__uses_of(const irl__uses *u, const irl_expr *e)
{
    const int  at = irl__uses_find(u, e);
    irl__holds all, part;
    if (at >= 0) return u->list[at].holds;
    memset(&all, 0, sizeof all);
    for (uint32_t k = 0; k < e->count; k++) {
        part = irl__uses_of(u, e->a[k]);
        irl__holds_join(&all, &part);
    }
    return all;
}

int irl__uses_holds(const irl__uses *u, const irl_expr *e, int alive)
{
    const irl__holds holds = irl__uses_of(u, e);
    return irl__holds_one(&holds, alive);
}

int irl__uses_moves(const irl__uses *u, const irl_expr *e)
{
    const irl__holds holds = irl__uses_of(u, e);
    return irl__holds_meet(&holds, &holds);
}

int irl__uses_own(const irl__uses *u, int at, int alive)
{
    int above = u->part[alive];
    while (above >= 0 && above < at) above = u->list[above].above;
    return above == at;
}

/* ------------------------------------------------------------------ collecting */

static int irl__uses_put(irl__uses *u, const irl_expr *e)
{
    int k;
    if (u->count == u->capacity) return -1;
    irl__use *use = &u->list[u->count];
    memset(use, 0, sizeof *use);
    use->e = use->now = e;
    use->above = -1;
    use->is_sum =
        e->op == IRL_OP_ADD || e->op == IRL_OP_SUB || e->op == IRL_OP_NEG || e->op == IRL_OP_MUL;
    for (k = 0; k < (int)e->count; k++) {
        use->a[k] = irl__uses_find(u, e->a[k]);
        irl__holds_join(&use->holds, &u->list[use->a[k]].holds);
        if (use->is_sum) u->list[use->a[k]].in_sum = 1;
        else u->list[use->a[k]].in_other = 1;
    }
    if (e->op == IRL_OP_VAR)
        for (k = 0; k < u->alive_count; k++) {
            if (u->c->vars[u->alive[k]].var != e) continue;
            irl__holds_put(&use->holds, k);
            u->part[k] = u->count;
        }
    u->count++;
    return irl__ptr_map_put(u->c->cx, &u->at, e, (const void *)(uintptr_t)(unsigned)u->count);
}

static int irl__uses_add(irl__uses *u, const irl_expr *e)
{
    int ok = 1;
    if (irl__uses_find(u, e) >= 0) return 1;
    if (!irl__work(u->c->cx, IRL__STEPS_NODE)) return 0;
    if (e->count > 3 || (e->flags & (IRL__HAS_MEMORY | IRL__HAS_LET | IRL__HAS_LANES))) return -1;
    if (!irl__type_is_index(e->type) && e->type.scalar != IRL_BOOL) return -1;
    for (uint32_t k = 0; ok > 0 && k < e->count; k++) ok = irl__uses_add(u, e->a[k]);
    return ok > 0 ? irl__uses_put(u, e) : ok;
}

/* ------------------------------------------------------------------ what all ways lead through */

static int irl__uses_meet(const irl__uses *u, int a, int b)
{
    while (a != b) {
        if (a < b) a = u->list[a].above;
        else b = u->list[b].above;
    }
    return a;
}

static void irl__uses_below(irl__uses *u, int part, int above)
{
    int *at = &u->list[part].above;
    *at = *at < 0 ? above : irl__uses_meet(u, *at, above);
}

int irl__uses_make(irl__uses *u, irl__change *c)
{
    int k, ok = 1;
    memset(u, 0, offsetof(irl__uses, alive));
    u->c = c;
    for (k = 0; k < c->count; k++) {
        if (c->vars[k].replaced || c->vars[k].spare) continue;
        if (u->alive_count == IRL__CHANGE_ALIVE) return -1;
        u->part[u->alive_count] = -1;
        u->alive[u->alive_count++] = k;
    }
    uint32_t nodes = 1;
    for (int n = 0; n < c->output_count && nodes <= IRL__CHANGE_NODES; n++)
        nodes += c->outputs[n]->size;
    u->capacity = (int)(nodes <= IRL__CHANGE_NODES ? nodes : (uint32_t)IRL__CHANGE_NODES);
    u->list = (irl__use *)irl__scratch_room(c->cx, (size_t)u->capacity, sizeof *u->list);
    if (!u->list) return 0;
    for (k = 0; ok > 0 && k < c->output_count; k++) ok = irl__uses_add(u, c->outputs[k]);
    if (ok > 0) {
        for (int j = 0; j < u->c->output_count; j++)
            irl__uses_below(u, irl__uses_find(u, u->c->outputs[j]), u->count);
        for (int j = u->count - 1; j >= 0; j--)
            for (uint32_t i = 0; i < u->list[j].e->count; i++)
                irl__uses_below(u, u->list[j].a[i], j);
    }
    return ok;
}

/* ------------------------------------------------------------------ rebuilding */

/* A sum of a constant 0, a product with 1: what replacing leaves behind. */
static const irl_expr *irl__uses_tidy(const irl__change *c, const irl_expr *e)
{
    if (e->op == IRL_OP_ADD && e->a[0] == c->zero) return e->a[1];
    if ((e->op == IRL_OP_ADD || e->op == IRL_OP_SUB) && e->a[1] == c->zero) return e->a[0];
    if (e->op == IRL_OP_MUL && (e->a[0] == c->zero || e->a[1] == c->zero)) return c->zero;
    return e;
}

int irl__uses_rebuild(irl__uses *u)
{
    irl__change *c = u->c;
    for (int k = 0; k < u->count; k++) {
        irl__use       *use = &u->list[k];
        const irl_expr *a[3];
        int             changed = 0;
        if (use->now != use->e) continue;
        for (uint32_t i = 0; i < use->e->count; i++) {
            a[i] = u->list[use->a[i]].now;
            changed |= a[i] != use->e->a[i];
        }
        if (changed) use->now = irl__expr_with(c->cx, use->e, a);
        if (!use->now) return 0;
        if (changed) use->now = irl__uses_tidy(c, use->now);
    }
    for (int k = 0; k < c->output_count; k++)
        c->outputs[k] = u->list[irl__uses_find(u, c->outputs[k])].now;
    return 1;
}
