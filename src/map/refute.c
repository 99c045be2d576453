/* refute.c - values of the parameters for which a map on symbolic extents is wrong.

   needs     irl_check
   promises  a witness is a witness: it was evaluated for these values. Finding none says nothing
   cost      at most IRL__EXTENTS_TRIALS verdicts on at most IRL__EXTENTS_POINTS points each; their memory is given back */
#include "map.h"

enum { IRL__EXTENTS_PARAMETERS = 8, IRL__EXTENTS_VALUES = 16, IRL__EXTENTS_TRIALS = 400, IRL__EXTENTS_POINTS = 4096 };

/* Values that are worth a trial: small ones, and the constants of the map and those beside them. */
typedef struct irl__trials {
    int             count;
    int64_t         value[IRL__EXTENTS_VALUES];
    const irl_expr *given[IRL__EXTENTS_PARAMETERS]; /* the values of one trial */
} irl__trials;

static void irl__trials_add(irl__trials *t, int64_t v)
{
    int k;
    for (k = 0; k < t->count; k++)
        if (t->value[k] == v) return;
    if (v >= 1 && v <= 64 && t->count < IRL__EXTENTS_VALUES) t->value[t->count++] = v;
}

static void irl__trials_constants(irl__trials *t, const irl_expr *e)
{
    uint32_t k;
    if (e->op == IRL_OP_INT && irl__type_is_index(e->type) && e->u.i > 1 && e->u.i < 64) {
        irl__trials_add(t, e->u.i);
        irl__trials_add(t, e->u.i + 1);
    }
    for (k = 0; k < e->count; k++) irl__trials_constants(t, e->a[k]);
}

static int irl__extents_at(irl__extents *x, const irl__trials *t, int count, const irl_expr *const *list, irl_shape *out)
{
    int k;
    memset(out, 0, sizeof *out);
    out->rank = count;
    for (k = 0; k < count; k++) {
        const irl_expr *e = irl__substitute(x->cx, list[k], x->v.parameter_count, x->v.parameters, t->given);
        e = e ? irl__simplify_alone(x->cx, e) : NULL;
        if (!e || e->op != IRL_OP_INT || e->u.i < 0) return 0;
        out->extent[k] = e->u.i;
    }
    return 1;
}

/* The verdict for the values of one trial. Only a witness counts. */
static irl_verdict irl__extents_trial(irl__extents *x, const irl__trials *t)
{
    const irl_expr *out[IRL_MAX_RANK];
    const irl_map  *map;
    irl_verdict     v;
    irl_checking    how;
    irl_shape       shape, bound;
    int64_t         points = 1;
    int             k;
    memset(&v, 0, sizeof v);
    memset(&how, 0, sizeof how);
    how.most_cells = 1 << 16;
    if (!irl__extents_at(x, t, x->map->input_count, x->extents, &shape)) return v;
    for (k = 0; k < shape.rank; k++)
        if (!irl__mul64(points, shape.extent[k], &points) || points > IRL__EXTENTS_POINTS) return v;
    for (k = 0; k < x->map->output_count; k++)
        if (!(out[k] = irl__substitute(x->cx, x->map->outputs[k], x->v.parameter_count, x->v.parameters, t->given))) return v;
    if (x->bound && !irl__extents_at(x, t, x->map->output_count, x->bound, &bound)) return v;
    how.bound = x->bound ? &bound : NULL;
    map = irl__map_make(x->cx, x->map->input_count, x->map->inputs, x->map->output_count, out, 0, NULL, x->map->loc);
    return irl_check_with(x->cx, map, shape, &how);
}

/* All combinations of the first `level` values that use the last of them: 1 to go on, 0 once there were enough. */
static int irl__extents_level(irl__extents *x, irl__trials *t, int level, int *left)
{
    irl_loc here = x->cx->here;
    int     at[IRL__EXTENTS_PARAMETERS], n = x->v.parameter_count, k, newest;
    memset(at, 0, sizeof at);
    for (;;) {
        for (k = newest = 0; k < n; k++) newest |= at[k] == level - 1;
        if (newest) {
            irl_mark    mark = irl_mark_now(x->cx);
            irl_verdict v;
            for (k = 0; k < n; k++) t->given[k] = irl_idx(x->cx, t->value[at[k]]);
            v = irl__extents_trial(x, t);
            irl_rewind(x->cx, mark); /* what fails for these values is no witness */
            x->cx->here = here;
            if (v.kind == IRL_LOSSY || (v.kind == IRL_OUT_OF_RANGE && x->v.kind == IRL_UNDECIDED)) {
                x->v.kind = v.kind;
                x->v.method = "witness";
                x->v.reason = "";
                x->v.a = v.a, x->v.b = v.b, x->v.at = v.at;
                x->v.values.rank = n;
                for (k = 0; k < n; k++) x->v.values.extent[k] = t->value[at[k]];
                if (v.kind == IRL_LOSSY) return 0;
            }
            if (--*left == 0) return 0;
        }
        for (k = n - 1; k >= 0 && ++at[k] == level; k--) at[k] = 0;
        if (k < 0) return 1;
    }
}

/* Values of the parameters for which the map is lossy, or else out of range. */
void irl__extents_refute(irl__extents *x)
{
    irl__trials t;
    int         k, level, left = IRL__EXTENTS_TRIALS;
    if (x->v.parameter_count > IRL__EXTENTS_PARAMETERS) return;
    memset(&t, 0, sizeof t);
    for (k = 1; k <= 4; k++) irl__trials_add(&t, k);
    for (k = 0; k < x->map->output_count; k++) irl__trials_constants(&t, x->map->outputs[k]);
    for (k = 0; k < x->map->output_count && x->bound; k++) irl__trials_constants(&t, x->bound[k]);
    for (k = 5; k <= 9; k++) irl__trials_add(&t, k);
    irl__trials_add(&t, 16);
    irl__trials_add(&t, 33);
    for (level = 1; level <= t.count && irl__extents_level(x, &t, level, &left); level++) continue;
}
