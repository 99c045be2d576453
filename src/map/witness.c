/* witness.c - two points that collide, without looking at all of them.

   needs     program.c
   promises  a witness is a witness: it was evaluated. Finding none says nothing */
#include "map.h"

/* An input that no output depends on: the simplest loss. */
static int irl__witness_unused(irl__check *c)
{
    int k, i;
    for (k = 0; k < c->map->input_count; k++) {
        int used = 0;
        for (i = 0; i < c->map->output_count && !used; i++) used = irl__expr_uses_var(c->map->outputs[i], c->map->inputs[k]);
        if (used || c->v.shape.extent[k] < 2) continue;
        memset(&c->v.a, 0, sizeof c->v.a);
        c->v.a.rank = c->map->input_count;
        c->v.b = c->v.a;
        c->v.b.extent[k] = 1;
        if (!irl_map_apply(c->cx, c->map, c->v.a, &c->v.at)) return 0;
        c->v.kind = IRL_LOSSY;
        c->v.method = "unused axis";
        return 1;
    }
    return -1;
}

int irl__check_by_witness(irl__check *c)
{
    int64_t points = 1;
    int     k;
    for (k = 0; k < c->v.shape.rank; k++)
        if (c->v.shape.extent[k] == 0) return -1;
    for (k = 0; k < c->v.shape.rank && points <= IRL__MOST_CELLS; k++)
        if (!irl__mul64(points, c->v.shape.extent[k], &points)) points = INT64_MAX;
    return irl__witness_unused(c);
}
