/* equal.c - do two maps agree on a shape?

   needs     the analyzer, program.c; refute.c for symbolic shapes
   promises  yes by proof, or by examining every point, if both have values; no with a point at
             which they differ */
#include "map.h"

/* Compares two lists of expressions at every point; 1 equal, -1 a difference was found, 0 failed,
   or only a part could be seen. */
static int irl__equal_at_all_points(irl_ctx *cx, const irl_map *a, const irl_expr *const *both,
                                    const irl_shape *shape, irl_shape *witness)
{
    irl__program p;
    irl__walk    w;
    int          n;
    if (!irl__program_make(cx, &p, NULL, a->input_count, a->inputs, 2 * a->output_count, both))
        return 0;
    int all = irl__walk_begin(&w, shape->rank, shape->extent, INT64_MAX);
    if (!all) w.total = INT64_MAX; /* a difference may still come */
    while ((n = irl__walk_next(&w, &p)) > 0) {
        if (!irl__program_run(&p, n)) return irl__program_fail(&p, a->loc);
        for (int i = 0; i < n; i++)
            for (int k = 0; k < a->output_count; k++) {
                if (irl__program_output(&p, k)[i] ==
                    irl__program_output(&p, a->output_count + k)[i])
                    continue;
                irl__strip_point(&p, i, witness);
                return -1;
            }
    }
    return all;
}

/* Maps that are equal by proof have values too: 1; 0 not, or not known, with a diagnostic where it
   is certain. */
static int irl__equal_has_values(irl_ctx *cx, const irl_map *map, const irl_shape *shape)
{
    irl__budget budget = irl__budget_of(NULL);
    irl__domain d;
    irl__gap    gap;
    int         ok = irl__domain_begin(&d, cx, map, shape, &budget);
    if (ok) ok = irl__map_has_values(&d, &gap);
    if (ok < 0 && gap.certain)
        return irl__no_value_fail(cx, map->loc, &gap.why, map->input_count, gap.at);
    return ok > 0;
}

/* The outputs of both over the inputs of the first: the same by proof. */
static int irl__equal_outputs(irl__analyzer *an, const irl_map *a, const irl_map *b,
                              const irl_expr **both)
{
    int k, proved = an != NULL;
    memcpy(both, a->outputs, (size_t)a->output_count * sizeof *both);
    if (!irl__map_substitute(a->cx, b, a->inputs, both + a->output_count)) return 0;
    for (k = 0; proved && k < a->output_count; k++)
        proved = irl__prove_equal(an, both[k], both[a->output_count + k]);
    return proved && irl__ok(a->cx);
}

/* Both maps for this shape, which is settled; an answer where that is one already: IRL_YES where
   not. */
static irl_answer irl__equal_maps(irl_ctx *cx, const irl_map **a, const irl_map **b,
                                  irl_shape *shape, irl_shape *witness)
{
    *a = irl__map_for_shape(cx, *a, shape);
    *b = irl__map_for_shape(cx, *b, shape);
    if (!*a || !*b) return IRL_UNKNOWN;
    if ((*a)->output_count == (*b)->output_count) return IRL_YES;
    witness->rank = -1;
    return IRL_NO;
}

/* Of maps of one rank without names in them, on numbers. */
static irl_answer irl__equal_numbers(irl_ctx *cx, const irl_map *a, const irl_map *b,
                                     const irl_shape *shape, irl_shape *witness)
{
    const irl_expr *both[2 * IRL_MAX_RANK];
    irl__arena_mark mark = irl__scratch_begin(cx);
    int             r = 0;
    if (irl__equal_outputs(irl__map_analyzer(cx, a, shape), a, b, both))
        r = irl__equal_has_values(cx, a, shape) && irl__equal_has_values(cx, b, shape);
    else if (irl__ok(cx)) r = irl__equal_at_all_points(cx, a, both, shape, witness);
    irl__scratch_end(cx, mark);
    return r == 0 ? IRL_UNKNOWN : r > 0 ? IRL_YES : IRL_NO;
}

/* ------------------------------------------------------------------ symbolic shapes */

typedef struct irl__equality {
    const irl_map  *a, *b;
    const irl_expr *const *extents;
    irl_difference *d;
    int64_t         values[IRL__TRIAL_PARAMETERS]; /* of the parameters, for d->point */
    int             found;
} irl__equality;

static int irl__equal_trial(void *user, const irl__trials *t)
{
    irl__equality *q = (irl__equality *)user;
    irl_shape      shape, point;
    memset(&point, 0, sizeof point);
    if (!irl__trial_shape(t, q->a->input_count, q->extents, &shape)) return 1;
    const irl_map *a = irl__trial_map(t, q->a);
    const irl_map *b = irl__trial_map(t, q->b);
    if (!a || !b || irl__equal_numbers(t->cx, a, b, &shape, &point) != IRL_NO) return 1;
    q->found = 1;
    q->d->point = point;
    memcpy(q->values, t->values, sizeof q->values);
    return 0;
}

/* With names: proved for all values, or refuted at some. */
static irl_answer irl__equal_names(irl_ctx *cx, irl__equality *q)
{
    irl__trials t;
    /* The parameters of all that is asked about. */
    const irl_expr *list[IRL_MAX_RANK];
    int             count = 0;
    irl__map_parameters(q->a, q->a->input_count, q->extents, list, &count);
    irl__map_parameters(q->a, q->a->output_count, q->a->outputs, list, &count);
    irl__map_parameters(q->b, q->b->output_count, q->b->outputs, list, &count);
    q->d->parameter_count = count;
    q->d->parameters = IRL__COPY(cx, const irl_expr *, list, count);
    if (!q->d->parameters) return IRL_UNKNOWN;
    /* The same expressions, for all values from 1 on. */
    const irl_expr *both[2 * IRL_MAX_RANK];
    irl__arena_mark mark = irl__scratch_begin(cx);
    irl__analyzer  *an = irl__analyzer_of_names(cx, count, list, NULL);
    int             ok = irl__bind_axes(an, q->a->input_count, q->a->inputs, q->extents) &&
             irl__equal_outputs(an, q->a, q->b, both);
    for (int i = 0; ok && i < 2 * q->a->output_count; i++)
        ok = !irl__undefined_if_sums_fit(an, both[i]);
    irl__scratch_end(cx, mark);
    if (ok && irl__ok(cx)) return IRL_YES;
    if (!irl__ok(cx)) return IRL_UNKNOWN;
    irl__trials_begin(&t, cx, q->d->parameter_count, q->d->parameters);
    for (int k = 0; k < q->a->output_count; k++) {
        irl__trials_constants(&t, q->a->outputs[k]);
        irl__trials_constants(&t, q->b->outputs[k]);
    }
    irl__trials_run(&t, irl__equal_trial, q);
    if (!q->found) return IRL_UNKNOWN;
    q->d->values = IRL__COPY(cx, int64_t, q->values, q->d->parameter_count);
    return q->d->values ? IRL_NO : IRL_UNKNOWN;
}

static irl_answer irl__equal_ask(irl_ctx *cx, const irl_map *a, const irl_map *b, irl_shape *shape,
                                 irl_difference *difference)
{
    irl__equality q;
    irl_answer    begun;
    memset(&q, 0, sizeof q);
    memset(difference, 0, sizeof *difference);
    if ((begun = irl__equal_maps(cx, &a, &b, shape, &difference->point)) != IRL_YES) return begun;
    if (!shape->named && !irl__map_has_names(a) && !irl__map_has_names(b))
        return irl__equal_numbers(cx, a, b, shape, &difference->point);
    q.a = a;
    q.b = b;
    q.d = difference;
    q.extents = irl__shape_extents(cx, shape);
    return q.extents ? irl__equal_names(cx, &q) : IRL_UNKNOWN;
}

irl_answer irl_map_equal(irl_ctx *cx, const irl_map *a, const irl_map *b, irl_shape shape,
                         irl_difference *difference)
{
    irl_difference ignored;
    irl__question  q = irl__question_begin(cx, 0);
    irl_answer     answer =
        irl__equal_ask(cx, a, b, &shape, difference ? difference : &ignored);
    if (irl__question_spent(&q)) answer = IRL_UNKNOWN;
    (void)irl__question_end(&q, 1);
    return answer;
}
