/* equal.c - do two maps agree on a shape.

   needs     the analyzer, program.c
   promises  yes by proof or by looking at every point; no with a point where they differ */
#include "map.h"

/* Compares two lists of expressions at every point; 1 equal, -1 a difference was found, 0 failed. */
static int irl__equal_at_all_points(irl_ctx *cx, const irl_map *a, const irl_expr *const *both, const irl_shape *shape, irl_shape *witness)
{
    irl__program p;
    irl__walk    w;
    int          n, i, k;
    memset(&p, 0, sizeof p);
    p.cx = cx;
    if (!irl__program_make(&p, NULL, a->input_count, a->inputs, 2 * a->output_count, both)) return 0;
    if (!irl__walk_begin(&w, shape->rank, shape->extent, IRL__MOST_POINTS)) w.total = IRL__MOST_POINTS; /* a difference may still come */
    while ((n = irl__walk_next(&w, &p)) > 0) {
        if (!irl__program_run(&p, n)) return irl__program_fail(&p, a->loc);
        for (i = 0; i < n; i++)
            for (k = 0; k < a->output_count; k++) {
                if (irl__program_output(&p, k)[i] == irl__program_output(&p, a->output_count + k)[i]) continue;
                witness->rank = shape->rank;
                for (k = 0; k < shape->rank; k++) witness->extent[k] = irl__program_input(&p, k)[i];
                return -1;
            }
    }
    return 1;
}

irl_answer irl_map_equal(irl_ctx *cx, const irl_map *a, const irl_map *b, irl_shape shape, irl_shape *witness)
{
    const irl_expr *both[2 * IRL_MAX_RANK];
    irl__arena_mark mark;
    irl__analyzer  *an;
    irl_shape       ignored;
    irl__walk       w;
    int             k, proved = 1, r;
    if (!witness) witness = &ignored;
    memset(witness, 0, sizeof *witness);
    a = irl__map_for_shape(cx, a, &shape);
    b = irl__map_for_shape(cx, b, &shape);
    if (!a || !b) return IRL_UNKNOWN;
    if (a->output_count != b->output_count) return witness->rank = -1, IRL_NO;
    mark = irl__scratch_begin(cx);
    an = irl__map_analyzer(cx, a, &shape);
    memcpy(both, a->outputs, (size_t)a->output_count * sizeof *both);
    if (!irl__map_substitute(cx, b, a->inputs, both + a->output_count)) an = NULL;
    for (k = 0; an && proved && k < a->output_count; k++) proved = irl__prove_equal(an, both[k], both[a->output_count + k]);
    r = !an || !irl__ok(cx) ? 0 : proved ? 1 : irl__equal_at_all_points(cx, a, both, &shape, witness);
    if (r == 1 && !proved && !irl__walk_begin(&w, shape.rank, shape.extent, IRL__MOST_POINTS)) r = 0; /* only a part was seen */
    irl__scratch_end(cx, mark);
    return r == 0 ? IRL_UNKNOWN : r > 0 ? IRL_YES : IRL_NO;
}
