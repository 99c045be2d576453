/* launch.c - work-items: the order in which they run, and what a barrier orders.

   needs     items.c, evaluate.c; execute.c, which runs a statement for the set of items chosen here
   promises  the meaning of parallel code as eval.h states it */
#include "eval.h"

/* ------------------------------------------------------------------ what a group runs together */

int irl__launch_is_collective(const irl_stmt *s)
{
    return irl__stmt_holds(s, 1u << IRL__BARRIER | IRL__HOLDS_SHARED);
}

/* ------------------------------------------------------------------ teams */

static irl__eval_team *irl__launch_team_begin(irl__interpreter *in, int is_launch)
{
    irl__eval_team *team = &in->teams[in->team_count];
    memset(team, 0, sizeof *team);
    team->is_launch = is_launch;
    team->begin = team->phase[0] = team->phase[1] = ++in->clock;
    in->team_count++;
    return team;
}

static void irl__launch_team_end(irl__interpreter *in) { in->team_count--; }

static int irl__launch_loop_fail(irl__interpreter *in)
{
    return IRL__FAIL(in->cx, IRL_ERROR_BARRIER_DIVERGENT, "a barrier in a parallel loop: its "
                     "iterations do not wait for one another");
}

/* Where nothing is parallel a barrier is a no-op. */
int irl__execute_barrier(irl__interpreter *in, irl_scope scope)
{
    if (in->team_count == 0) return 1;
    if (in->launch != &in->teams[in->team_count - 1] || !in->launch->is_launch)
        return irl__launch_loop_fail(in);
    in->launch->phase[scope == IRL_SCOPE_SHARED] = ++in->clock;
    return 1;
}

/* ------------------------------------------------------------------ parallel loops */

static int irl__launch_is_loop(const irl_stmt *s)
{
    return s->kind == IRL__FOR && irl__for_is_parallel(s->u.loop.kind);
}

/* Directly nested loops count their iterations together; each is a group of its own. */
static int irl__launch_nest(irl__interpreter *in, irl__eval_team *team, const irl_stmt *s)
{
    const irl_stmt    *body = s->u.loop.body;
    irl__eval_binding *b = irl__eval_bound(in, s->u.loop.var->id);
    int64_t            begin, end;
    int                ok = 1;
    if (!irl__items_range(in, s, &begin, &end)) return 0;
    for (int64_t i = begin; ok && i < end; i++) {
        irl__arena_mark mark = irl__scratch_begin(in->cx);
        b->undef = 0;
        b->u.scalar.i = i;
        if (!irl__eval_step(in)) ok = 0;
        else if (irl__launch_is_loop(body)) ok = irl__launch_nest(in, team, body);
        else {
            team->first = team->item = team->end++;
            ok = irl__execute(in, body);
        }
        irl__scratch_end(in->cx, mark);
    }
    return ok;
}

/* The iterations of such loops as items, each with an environment of its own; set NULL: counts
   them. */
static int irl__launch_iterations(irl__interpreter *in, const irl_stmt *s, irl__eval_item *set,
                                  uint32_t *count)
{
    const irl_stmt    *body = s->u.loop.body;
    irl__eval_binding *b = irl__eval_bound(in, s->u.loop.var->id);
    int64_t            begin, end;
    if (!irl__items_range(in, s, &begin, &end)) return 0;
    for (int64_t i = begin; i < end; i++) {
        b->undef = 0;
        b->u.scalar.i = i;
        if (!irl__eval_step(in)) return 0;
        if (irl__launch_is_loop(body)) {
            if (!irl__launch_iterations(in, body, set, count)) return 0;
            continue;
        }
        if (set) {
            set[*count] = *in->item;
            set[*count].number = *count + 1;
            set[*count].env = irl__item_env(in);
            if (!set[*count].env) return 0;
            memcpy(set[*count].env, in->item->env, in->env_count * sizeof *set->env);
        }
        ++*count;
    }
    return 1;
}

static const irl_stmt *irl__launch_loop_body(const irl_stmt *s)
{
    while (irl__launch_is_loop(s)) s = s->u.loop.body;
    return s;
}

/* Iterations that share memory run together, as the items of a group do; but they never wait. */
static int irl__launch_shared_loop(irl__interpreter *in, irl__eval_team *team, const irl_stmt *loop)
{
    irl__arena_mark mark = irl__scratch_begin(in->cx);
    irl__eval_item *set = in->set, *item = in->item, *all = NULL;
    irl__eval_team *launch = in->launch;
    uint32_t        count = 0, k = 0;
    int             ok = irl__launch_iterations(in, loop, NULL, &count);
    if (ok) all = IRL__SCRATCH(in->cx, irl__eval_item, count);
    ok = all && irl__launch_iterations(in, loop, all, &k);
    if (ok && count) {
        team->first = 1;
        team->end = 1 + count;
        in->launch = team;
        in->set = all;
        in->set_count = count;
        irl__items_select(in, 0);
        ok = irl__execute(in, irl__launch_loop_body(loop));
        in->launch = launch;
        in->set = set;
        in->set_count = 1;
        in->item = item;
    }
    irl__scratch_end(in->cx, mark);
    return ok;
}

int irl__execute_parallel(irl__interpreter *in, const irl_stmt *loop)
{
    int ok;
    if (in->set_count > 1) return irl__launch_loop_fail(in);
    irl__eval_team *team = irl__launch_team_begin(in, 0);
    team->end = 1;
    if (irl__stmt_holds(loop, IRL__HOLDS_SHARED) && !irl__stmt_holds(loop, IRL__HOLDS_BOUND))
        ok = irl__launch_shared_loop(in, team, loop);
    else ok = irl__launch_nest(in, team, loop);
    irl__launch_team_end(in);
    return ok;
}

/* ------------------------------------------------------------------ the range of a launch */

/* Extents of the axes; -1: not bound. */
typedef struct irl__launch_range {
    int64_t extent[IRL__AXIS_COUNT];
} irl__launch_range;

static int irl__launch_is_unbound(const irl_expr *e, const void *in)
{
    return e->op == IRL_OP_VAR && irl__eval_bound((const irl__interpreter *)in, e->id)->undef;
}

/* Can e be evaluated before the work-items are made? */
static int irl__launch_is_known(const irl__interpreter *in, const irl_expr *e)
{
    return !(e->flags & (IRL__HAS_MEMORY | IRL__HAS_LET)) &&
           !irl__expr_any(e, irl__launch_is_unbound, in);
}

static int irl__launch_range_add(irl__interpreter *in, irl__launch_range *range, const irl_stmt *s)
{
    int64_t    *known = &range->extent[s->u.loop.axis], extent;
    const char *axis = irl_axis_text(s->u.loop.axis);
    if (!irl__launch_is_known(in, s->u.loop.extent))
        return irl__fail(in->cx, IRL_ERROR_BAD_STRUCTURE, s->loc,
                         "the extent of %s must be known before the launch", axis);
    if (!irl__eval_number(in, s->u.loop.extent, "an extent", &extent)) return 0;
    if (extent < 0) extent = 0;
    if (*known >= 0 && *known != extent)
        return irl__fail(in->cx, IRL_ERROR_BAD_STRUCTURE, s->loc,
                         "%s has extents %l and %l in one launch", axis, *known, extent);
    *known = extent;
    return 1;
}

/* All bound loops of s. Lets that every item would compute alike are computed on the way, as
   extents may use them. */
static int irl__launch_range_collect(irl__interpreter *in, irl__launch_range *range,
                                     const irl_stmt *s, int is_certain)
{
    const irl_stmt *part;
    if (irl__stmt_is_bound(s) && !irl__launch_range_add(in, range, s)) return 0;
    if (s->kind == IRL__LET && is_certain && s->u.let.value->type.lanes == 1 &&
        irl__launch_is_known(in, s->u.let.value))
        return irl__execute(in, s);
    is_certain = is_certain &&
                 (s->kind == IRL__SEQ || s->kind == IRL__ATTR || irl__stmt_is_bound(s));
    for (int k = 0; (part = irl__stmt_part(s, k)) != NULL; k++)
        if (!irl__launch_range_collect(in, range, part, is_certain)) return 0;
    return 1;
}

/* Groups and local sizes of dimension d from those of group, local and global that are bound. Where
   memory is shared (`shares`) and only global is, all items have it. */
static int irl__launch_range_resolve(irl__interpreter *in, const irl__launch_range *range,
                                     irl__eval_team *team, int shares, int d)
{
    int64_t group = range->extent[IRL_GROUP_X + d], local = range->extent[IRL_LOCAL_X + d],
            global = range->extent[IRL_GLOBAL_X + d], product;
    int has_group = group >= 0, fits = 1;
    if (local < 0 && global >= 0 && group < 0 && shares) local = global;
    if (local < 0) local = global >= 0 && group > 0 ? global / group : 1;
    if (group < 0) group = global < 0 ? 1 : local > 0 ? global / local : 0;
    if (!irl__mul64(group, local, &product) || product > UINT32_MAX)
        return irl__eval_step_limit(in);
    if (global >= 0) fits = product == global;
    team->groups[d] = group;
    team->locals[d] = local;
    return fits || IRL__FAIL(in->cx, IRL_ERROR_BAD_STRUCTURE, "%s has extent %l, which is not %l "
                             "%s of %l work-items", irl_axis_text((irl_axis)(IRL_GLOBAL_X + d)),
                             global, group, has_group ? "groups" : "whole groups", local);
}

static int irl__launch_range_find(irl__interpreter *in, irl__eval_team *team, const irl_stmt *body)
{
    irl__launch_range range;
    int64_t           total = 1;
    int               k, shares = irl__stmt_holds(body, IRL__HOLDS_SHARED);
    for (k = 0; k < (int)IRL__AXIS_COUNT; k++) range.extent[k] = -1;
    if (!irl__launch_range_collect(in, &range, body, 1)) return 0;
    for (k = 0; k < 3; k++) {
        if (!irl__launch_range_resolve(in, &range, team, shares, k)) return 0;
        if (!irl__mul64(total, team->groups[k], &total) ||
            !irl__mul64(total, team->locals[k], &total))
            return irl__eval_step_limit(in);
    }
    return (uint64_t)total < in->step_limit && total < UINT32_MAX ? 1 : irl__eval_step_limit(in);
}

/* ------------------------------------------------------------------ running it */

static uint32_t irl__launch_product(const int64_t extents[3])
{
    return (uint32_t)(extents[0] * extents[1] * extents[2]);
}

/* Item `local` of group `group`, x fastest in both. */
static void irl__launch_place(irl__eval_item *item, const irl__eval_team *team, uint32_t group,
                              uint32_t local)
{
    int64_t g = group, l = local;
    item->number = 1 + group * irl__launch_product(team->locals) + local;
    for (int d = 0; d < 3; d++) {
        item->at[IRL_GROUP_X + d] = g % team->groups[d];
        item->at[IRL_LOCAL_X + d] = l % team->locals[d];
        item->at[IRL_GLOBAL_X + d] =
            item->at[IRL_GROUP_X + d] * team->locals[d] + item->at[IRL_LOCAL_X + d];
        g /= team->groups[d];
        l /= team->locals[d];
    }
}

/* All items of a group at once, each with an environment of its own. */
static int irl__launch_together(irl__interpreter *in, const irl__eval_team *team, uint32_t group,
                                const irl_stmt *body, const irl__eval_binding *env)
{
    for (uint32_t k = 0; k < in->set_count; k++) {
        irl__launch_place(&in->set[k], team, group, k);
        if (in->env_count) memcpy(in->set[k].env, env, in->env_count * sizeof *env);
    }
    irl__items_select(in, 0);
    return irl__execute(in, body);
}

/* One item after the other: one environment serves all. */
static int irl__launch_in_turn(irl__interpreter *in, const irl__eval_team *team, uint32_t group,
                               const irl_stmt *body)
{
    uint32_t k, locals = irl__launch_product(team->locals);
    int      ok = 1;
    for (k = 0; ok && k < locals; k++) {
        irl__arena_mark mark = irl__scratch_begin(in->cx);
        irl__launch_place(in->set, team, group, k);
        irl__items_select(in, 0);
        ok = irl__eval_step(in) && irl__execute(in, body);
        irl__scratch_end(in->cx, mark);
    }
    return ok;
}

static irl__eval_item *irl__launch_set(irl__interpreter *in, uint32_t count, int is_together)
{
    irl__eval_item *set = IRL__SCRATCH(in->cx, irl__eval_item, count);
    for (uint32_t k = 0; set && k < count; k++) {
        set[k].env = is_together ? irl__item_env(in) : in->item->env;
        if (!set[k].env) return NULL;
    }
    return set;
}

static int irl__launch_groups(irl__interpreter *in, irl__eval_team *team, const irl_stmt *body)
{
    const irl__eval_binding *env = in->item->env;
    uint32_t groups = irl__launch_product(team->groups), locals = irl__launch_product(team->locals),
             g;
    int is_together = locals > 1 && irl__launch_is_collective(body), ok = 1;
    if (groups == 0 || locals == 0) return 1;
    in->set_count = is_together ? locals : 1;
    in->set = irl__launch_set(in, in->set_count, is_together);
    if (!in->set) return 0;
    for (g = 0; ok && g < groups; g++) {
        irl__arena_mark mark = irl__scratch_begin(in->cx);
        team->first = 1 + g * locals;
        team->end = team->first + locals;
        ok = is_together ? irl__launch_together(in, team, g, body, env)
                         : irl__launch_in_turn(in, team, g, body);
        irl__scratch_end(in->cx, mark);
    }
    return ok;
}

int irl__execute_launch(irl__interpreter *in, const irl_stmt *body)
{
    irl__arena_mark mark = irl__scratch_begin(in->cx);
    irl__eval_item *set = in->set, *item = in->item;
    uint32_t        count = in->set_count;
    irl__eval_team *team = irl__launch_team_begin(in, 1);
    int             ok = irl__launch_range_find(in, team, body);
    in->launch = team;
    ok = ok && irl__launch_groups(in, team, body);
    in->launch = NULL;
    in->set = set;
    in->set_count = count;
    in->item = item;
    irl__launch_team_end(in);
    irl__scratch_end(in->cx, mark);
    return ok;
}
