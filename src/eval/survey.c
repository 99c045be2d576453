/* survey.c - one walk over a program before it runs: what the interpreter must allocate.

   needs     visit.c
   promises  a slot for every variable and buffer; cells as small as the smallest scalar that any
             view sees, so that views of different types over one memory agree about each cell;
             records for as many parallel levels as nest */
#include "eval.h"

typedef struct irl__survey_state {
    irl_ctx     *cx;
    irl__ptr_map seen;
    uint32_t    *ids; /* of what was seen, in order */
    uint32_t     lanes;
    size_t       cell;
    irl__ptr_map bit_data;
    int          is_failed;
} irl__survey_state;

/* True the first time. */
static int irl__survey_see(irl__survey_state *state, const void *object, uint32_t id)
{
    if (irl__ptr_map_get(&state->seen, object)) return 0;
    if (irl__ptr_map_put(state->cx, &state->seen, object, object) &&
        IRL__PUSH_SCRATCH(state->cx, state->ids, id))
        return 1;
    state->is_failed = 1;
    return 0;
}

static int irl__survey_expr(irl__visitor *v, const irl_expr *e)
{
    irl__survey_state *state = (irl__survey_state *)v->user;
    if (e->type.lanes > state->lanes) state->lanes = e->type.lanes;
    if (e->op == IRL_OP_VAR) irl__survey_see(state, e, e->id);
    return 1;
}

static void irl__survey_list(irl__visitor *v, int count, const irl_expr *const *list)
{
    for (int k = 0; list && k < count; k++) irl__visit_expr(v, list[k]);
}

static void irl__survey_buffer(irl__visitor *v, const irl_buffer *b, const irl_stmt *s)
{
    irl__survey_state *state = (irl__survey_state *)v->user;
    size_t             bytes = b->bits ? 1 : (size_t)irl__type_info(b->type)->bytes;
    (void)s;
    if (!irl__survey_see(state, b, b->id)) return;
    if (bytes < state->cell) state->cell = bytes;
    if (b->bits && !irl__ptr_map_put(state->cx, &state->bit_data, b->data, b)) state->is_failed = 1;
    if (b->type.lanes > state->lanes) state->lanes = b->type.lanes;
    irl__visit_expr(v, b->data);
    irl__visit_shape(v, b);
}

/* The variables that a statement binds; the walk itself sees those that are used. */
static int irl__survey_stmt(irl__visitor *v, const irl_stmt *s)
{
    int k;
    if (s->kind == IRL__FOR) irl__visit_expr(v, s->u.loop.var);
    if (s->kind == IRL__LET) irl__visit_expr(v, s->u.let.var);
    if (s->kind == IRL__BLOCK)
        for (k = 0; k < s->u.block->axis_count; k++) irl__visit_expr(v, s->u.block->axes[k].var);
    return 1;
}

static void irl__survey_func(irl__visitor *v, const irl_func *f)
{
    for (int k = 0; k < f->param_count; k++) {
        const irl__param *p = &f->params[k];
        irl__visit_expr(v, p->var);
        if (!p->buffer) continue;
        irl__survey_buffer(v, p->buffer, NULL);
        irl__survey_list(v, p->logical_rank, p->logical_shape);
        if (!p->map) continue;
        irl__survey_list(v, p->map->input_count, p->map->inputs);
        irl__survey_list(v, p->map->output_count, p->map->outputs);
    }
    irl__visit_stmt(v, f->body);
}

/* ------------------------------------------------------------------ parallel levels */

static int irl__survey_most(int a, int b) { return a > b ? a : b; }

/* How many launches and parallel loops nest in s; directly nested parallel loops are one. */
static int irl__survey_levels(const irl_stmt *s, int in_launch, int in_parallel)
{
    const irl_stmt *part;
    int             most = 0;
    if (s->kind == IRL__FOR && irl__for_is_parallel(s->u.loop.kind))
        return !in_parallel + irl__survey_levels(s->u.loop.body, in_launch, 1);
    if (irl__stmt_is_bound(s)) return !in_launch + irl__survey_levels(s->u.loop.body, 1, 0);
    for (int k = 0; (part = irl__stmt_part(s, k)) != NULL; k++)
        most = irl__survey_most(most, irl__survey_levels(part, in_launch, 0));
    return most;
}

static int irl__survey_func_levels(const irl_func *f)
{
    int is_launch = f->role == IRL__KERNEL;
    return is_launch + irl__survey_levels(f->body, is_launch, 0);
}

/* ------------------------------------------------------------------ what follows from it */

static int irl__survey_slots(irl__interpreter *in, uint32_t *ids)
{
    size_t   k, count = (size_t)stbds_arrlen(ids);
    uint32_t least = UINT32_MAX, most = 0, *slots;
    for (k = 0; k < count; k++) {
        if (ids[k] < least) least = ids[k];
        if (ids[k] > most) most = ids[k];
    }
    if (count == 0) least = 0;
    slots = IRL__SCRATCH(in->cx, uint32_t, (size_t)(most - least) + 1);
    for (k = 0; slots && k < count; k++) slots[ids[k] - least] = (uint32_t)k;
    in->id_base = least;
    in->slot_count = (uint32_t)count;
    in->env_count = in->error_at ? 2 * in->slot_count : in->slot_count;
    in->slots = slots;
    return slots != NULL;
}

int irl__eval_survey(irl__interpreter *in, const irl_func *f)
{
    irl__survey_state state;
    memset(&state, 0, sizeof state);
    state.cx = in->cx;
    state.lanes = 1;
    state.cell = 8;
    irl__visitor v = irl__visitor_make(&state, irl__survey_expr, irl__survey_stmt);
    v.buffer = irl__survey_buffer;
    irl__survey_func(&v, f);
    for (int k = 0; in->module && k < in->module->kernel_count; k++)
        irl__survey_func(&v, in->module->kernels[k]);
    if (state.is_failed) return 0;
    if (state.lanes > IRL_MAX_LANES)
        return irl__fail(in->cx, IRL_ERROR_BAD_TYPE, f->loc, "a value of %u lanes; the most is %d",
                         (uint64_t)state.lanes, IRL_MAX_LANES);
    for (in->cell_shift = 0; (size_t)2 << in->cell_shift <= state.cell; in->cell_shift++) {}
    in->bit_data = state.bit_data;
    int j, kernels = 0;
    for (j = 0; in->module && j < in->module->kernel_count; j++)
        kernels = irl__survey_most(kernels, irl__survey_func_levels(in->module->kernels[j]));
    in->team_most = irl__survey_func_levels(f) + kernels;
    in->teams = IRL__SCRATCH(in->cx, irl__eval_team, in->team_most);
    in->partial = IRL__SCRATCH(in->cx, irl__partial_row, IRL__PARTIAL_ROWS);
    /* Each level of nesting holds at most three operands. */
    if (!(in->teams && in->partial && irl__survey_slots(in, state.ids))) return 0;
    const uint32_t lanes = state.lanes;
    size_t         count = (size_t)(IRL_MAX_DEPTH + 2) * 3 * lanes;
    in->top = IRL__SCRATCH(in->cx, irl__scalar, in->error_at ? 2 * count : count);
    in->end = in->top ? in->top + count : NULL;
    if (in->error_at) in->error_at = (ptrdiff_t)count;
    return in->top != NULL;
}
