/* refute.c - values of the parameters for which a map on symbolic extents is wrong, or two maps
   differ.

   needs     verdict.c
   promises  a witness is always right: it was evaluated for these values. If none is found, that
             proves nothing
   cost      at most IRL__TRIALS verdicts on at most IRL__TRIAL_POINTS points each; their memory is
             freed */
#include "map.h"

/* ------------------------------------------------------------------ trials */

static void irl__trials_add(irl__trials *t, int64_t v)
{
    for (int k = 0; k < t->count; k++)
        if (t->value[k] == v) return;
    if (v >= 1 && v <= 64 && t->count < IRL__TRIAL_VALUES) t->value[t->count++] = v;
}

void irl__trials_begin(irl__trials *t, irl_ctx *cx, int count, const irl_expr *const *parameters)
{
    memset(t, 0, sizeof *t);
    t->cx = cx;
    t->parameter_count = count;
    t->parameters = parameters;
    for (int k = 1; k <= 4; k++) irl__trials_add(t, k);
}

void irl__trials_constants(irl__trials *t, const irl_expr *e)
{
    if (e->op == IRL_OP_INT && irl__type_is_index(e->type) && e->u.i > 1 && e->u.i < 64) {
        irl__trials_add(t, e->u.i);
        irl__trials_add(t, e->u.i + 1);
    }
    for (uint32_t k = 0; k < e->count; k++) irl__trials_constants(t, e->a[k]);
}

/* Expressions with the values of this trial for its parameters. */
static int irl__trial_exprs(const irl__trials *t, int count, const irl_expr *const *list,
                            const irl_expr **out)
{
    for (int k = 0; k < count; k++)
        if (!(out[k] =
                  irl__substitute(t->cx, list[k], t->parameter_count, t->parameters, t->given)))
            return 0;
    return 1;
}

static int irl__trial_numbers(const irl__trials *t, int count, const irl_expr *const *list,
                              irl_shape *out)
{
    const irl_expr *there[IRL_MAX_RANK] = { NULL };
    return irl__trial_exprs(t, count, list, there) && irl__shape_of(t->cx, count, there, out);
}

int irl__trial_shape(const irl__trials *t, int count, const irl_expr *const *extents,
                     irl_shape *out)
{
    int64_t points = 1;
    if (!irl__trial_numbers(t, count, extents, out)) return 0;
    for (int k = 0; k < count; k++)
        if (!irl__mul64(points, out->extent[k], &points) || points > IRL__TRIAL_POINTS) return 0;
    return 1;
}

const irl_map *irl__trial_map(const irl__trials *t, const irl_map *map)
{
    const irl_expr *out[IRL_MAX_RANK];
    if (!irl__trial_exprs(t, map->output_count, map->outputs, out)) return NULL;
    return irl__map_make(t->cx, map->input_count, map->inputs, map->output_count, out, 0, NULL,
                         map->loc);
}

/* All combinations of the first `level` values that use the last of them: 1 to go on, 0 once there
   were enough. */
static int irl__trials_level(irl__trials *t, int level, int *left,
                             int (*trial)(void *user, const irl__trials *t), void *user)
{
    irl_loc here = t->cx->here;
    int     at[IRL__TRIAL_PARAMETERS], n = t->parameter_count, k, newest;
    memset(at, 0, sizeof at);
    for (;;) {
        for (k = newest = 0; k < n; k++) newest |= at[k] == level - 1;
        if (newest) {
            irl_mark mark = irl_ctx_mark(t->cx);
            for (k = 0; k < n; k++) {
                t->values[k] = t->value[at[k]];
                t->given[k] = irl_expr_int(t->cx, t->parameters[k]->type, t->value[at[k]]);
            }
            int go_on = trial(user, t);
            irl_ctx_rewind(t->cx, mark); /* what fails for these values is no witness */
            t->cx->here = here;
            if (!go_on || --*left == 0 || t->cx->steps_spent) return 0;
        }
        for (k = n - 1; k >= 0 && ++at[k] == level; k--) at[k] = 0;
        if (k < 0) return 1;
    }
}

void irl__trials_run(irl__trials *t, int (*trial)(void *user, const irl__trials *t), void *user)
{
    int left = IRL__TRIALS;
    if (t->parameter_count > IRL__TRIAL_PARAMETERS) return;
    for (int k = 0; k < t->parameter_count; k++)
        if (!irl__type_is_integer(t->parameters[k]->type)) return;
    for (int k = 5; k <= 9; k++) irl__trials_add(t, k);
    irl__trials_add(t, 16);
    irl__trials_add(t, 33);
    for (int level = 1; level <= t->count && irl__trials_level(t, level, &left, trial, user);
         level++)
        continue;
}

/* ------------------------------------------------------------------ verdicts */

/* The part without a value as it is written, with its names. */
static void irl__extents_why(const irl__extents *x, const irl__trials *t, irl__gap *gap)
{
    const irl_expr *vars[IRL_MAX_RANK + IRL__TRIAL_PARAMETERS];
    int64_t         values[IRL_MAX_RANK + IRL__TRIAL_PARAMETERS], ignored;
    const irl_map  *map = x->map;
    irl__no_value   why;
    int             n = map->input_count;
    for (int k = 0; k < n; k++) vars[k] = map->inputs[k], values[k] = gap->at[k];
    for (int k = 0; k < t->parameter_count; k++)
        vars[n + k] = t->parameters[k], values[n + k] = t->values[k];
    memset(&why, 0, sizeof why);
    (void)irl__value_at_why(map->outputs[gap->output], n + t->parameter_count, vars, values,
                            &ignored, &why);
    if (why.part) gap->why = why;
}

/* The map has no value at some point: noted once, by a division by zero and the like. That an index
   leaves 64 bits is outside of what is asked. */
static void irl__extents_find_gap(irl__extents *x, const irl__trials *t, const irl_map *map,
                                  const irl_shape *shape)
{
    irl__budget     budget = irl__budget_of(NULL);
    irl__domain     d;
    irl__gap        gap;
    irl__text       text;
    if (!x->has_gaps || x->gap[0] || !map || x->v->kind != IRL_UNDECIDED) return;
    irl__arena_mark mark = irl__scratch_begin(x->cx);
    int ok = irl__domain_begin(&d, x->cx, map, shape, &budget) ? irl__map_has_values(&d, &gap) : 0;
    irl__scratch_end(x->cx, mark);
    if (ok >= 0 || !gap.certain) return;
    if (gap.why.status == IRL__FOLD_OVERFLOW && !(gap.why.part && gap.why.part->op == IRL_OP_CAST))
        return;
    irl__extents_why(x, t, &gap);
    irl__text_init_fixed(&text, x->gap, sizeof x->gap);
    irl__no_value_text(&text, &gap.why);
    irl__text_puts(&text, ": ");
    irl__no_value_point(&text, &gap.why, map->input_count, gap.at);
    x->gap_code = irl__no_value_code(gap.why.status);
    memcpy(x->gap_values, t->values, sizeof x->gap_values);
    x->gap_at.rank = map->input_count;
    memcpy(x->gap_at.extent, gap.at, (size_t)map->input_count * sizeof *gap.at);
}

/* Whether C rounds as the text does for these values; if not, that is the verdict of c. */
static void irl__extents_round_there(irl__extents *x, const irl__trials *t, irl__check *c)
{
    const irl_expr *out[IRL_MAX_RANK];
    const irl_map  *map = c->map;
    irl_map         there = *map;
    if (!x->as_c || !x->map->c || !x->map->c->outputs || !irl__verdict_is_right(&c->v)) return;
    if (!irl__trial_exprs(t, there.output_count, x->map->c->outputs, out)) return;
    irl__c_layout as_c = *x->map->c;
    as_c.outputs = out;
    there.c = &as_c;
    c->map = &there;
    (void)irl__check_c_rounding(c);
    c->map = map;
}

/* The verdict for the values of one trial, in c; false where there is none. Only a witness
   counts. */
static int irl__extents_verdict(irl__extents *x, const irl__trials *t, irl__check *c,
                                irl_check_options *how)
{
    irl_shape   bound;
    memset(how, 0, sizeof *how);
    how->most_cells = 1 << 16;
    irl__check_clear(c, x->cx, how);
    /* Are the values of a trial among those that are asked about? */
    const irl_expr *e =
        x->given ? irl__substitute(t->cx, x->given, t->parameter_count, t->parameters, t->given)
                 : NULL;
    e = e ? irl__simplify_alone(t->cx, e) : NULL;
    if (!(!x->given || (e && irl__is_int(e, 1))) ||
        !irl__trial_shape(t, x->map->input_count, x->extents, &c->v.shape))
        return 0;
    if (x->bound && !irl__trial_numbers(t, x->map->output_count, x->bound, &bound)) return 0;
    c->bound = x->bound ? &bound : NULL;
    c->map = irl__trial_map(t, x->map);
    irl__extents_find_gap(x, t, c->map, &c->v.shape);
    irl__asking asking = irl__check_begin(x->cx, 0);
    (void)irl__check_end(&asking, c->map && irl__ok(x->cx) ? irl__check_numbers(c, 1) : 0, &c->v);
    if (c->map) irl__extents_round_there(x, t, c);
    return 1;
}

/* The witness of a trial, into x->v. */
static void irl__extents_found_wrong(irl__extents *x, const irl__trials *t, const irl_verdict *v)
{
    irl_verdict *to = x->v;
    irl__text    text;
    if (v->kind == IRL_C_DIFFERS) { /* its words are given back with the trial */
        memcpy(x->gap_values, t->values, sizeof x->gap_values);
        irl__text_init_fixed(&text, x->gap, sizeof x->gap);
        irl__text_puts(&text, v->reason);
    }
    to->kind = v->kind;
    to->code = v->code;
    to->a = v->a;
    to->b = v->b;
    to->at = v->at;
    to->outside = v->outside;
    to->outside_at = v->outside_at;
    to->method = "witness";
    to->reason = "";
    memcpy(x->values, t->values, sizeof x->values);
}

/* Goes on until the map is lossy. */
static int irl__extents_trial(void *user, const irl__trials *t)
{
    irl__extents     *x = (irl__extents *)user;
    irl_check_options how;
    irl__check        c;
    if (!irl__extents_verdict(x, t, &c, &how)) return 1;
    if (c.v.kind < IRL_LOSSY || c.v.kind == IRL_UNDEFINED) return 1;
    if (c.v.kind != IRL_LOSSY && x->v->kind != IRL_UNDECIDED) return 1;
    irl__extents_found_wrong(x, t, &c.v);
    return c.v.kind != IRL_LOSSY;
}

/* "division by zero at i % N: its operands are 1 and 0 at (1), for N = 3" */
static const char *irl__extents_gap_reason(const irl__extents *x)
{
    irl__text   t;
    irl__text_init(&t, x->cx);
    irl__text_puts(&t, x->gap);
    for (int k = 0; k < x->v->parameter_count; k++)
        irl__textf(&t, k ? ", %s = %l" : ", for %s = %l", x->v->parameters[k]->u.name,
                   x->gap_values[k]);
    const char *text = irl__text_done(&t);
    return text ? text : "";
}

void irl__extents_refute(irl__extents *x)
{
    irl__trials t;
    irl__trials_begin(&t, x->cx, x->v->parameter_count, x->v->parameters);
    for (int k = 0; k < x->map->output_count; k++) irl__trials_constants(&t, x->map->outputs[k]);
    for (int k = 0; k < x->map->output_count && x->bound; k++)
        irl__trials_constants(&t, x->bound[k]);
    irl__trials_run(&t, irl__extents_trial, x);
    if (x->v->kind == IRL_LOSSY && x->v->outside_at.rank)
        x->v->reason = irl__outside_reason(x->cx, x->v);
    if (!x->gap[0]) return;
    x->v->reason = irl__extents_gap_reason(x);
    if (x->v->kind != IRL_UNDECIDED) return;
    x->v->kind = IRL_UNDEFINED;
    x->v->method = "witness";
    x->v->code = x->gap_code;
    memcpy(x->values, x->gap_values, sizeof x->values);
    x->v->a = x->gap_at;
}
