/* map_data.c - index maps as data: made, given a rank, substituted. Their mathematics is in
   src/map.

   needs     expr.c, visit.c (substitution)
   promises  a map that exists has index variables on the left, index expressions on the right,
             valid separators */
#include "ir.h"

const irl_expr *irl__map_misfit(const irl_expr *e)
{
    const irl_expr *part = NULL;
    int             is_own = irl__op_info((irl_op)e->op)->rule == IRL__OWN;
    if (e->type.lanes != 1 || e->type.is_pointer ||
        !(irl__type_is_integer(e->type) || e->type.scalar == IRL_BOOL))
        return e;
    if (is_own && e->op != IRL_OP_INT && e->op != IRL_OP_VAR && e->op != IRL_OP_CAST &&
        e->op != IRL_OP_SELECT && e->op != IRL_OP_IF_THEN_ELSE && e->op != IRL_OP_LET)
        return e;
    for (uint32_t k = 0; k < e->count && !part; k++) part = irl__map_misfit(e->a[k]);
    return part;
}

const irl_map *irl__map_make(irl_ctx *cx, int input_count, const irl_expr *const *inputs,
                             int output_count, const irl_expr *const *outputs, int separator_count,
                             const int *separators, irl_loc loc)
{
    if (!cx || !irl__ok(cx)) return NULL;
    if (input_count > IRL_MAX_RANK || output_count > IRL_MAX_RANK) {
        irl__fail(cx, IRL_ERROR_TOO_LARGE, loc, "a map from %d to %d axes; the most is %d",
                  input_count, output_count, IRL_MAX_RANK);
        return NULL;
    }
    for (int k = 0; k < output_count; k++) {
        if (!outputs[k]) return NULL;
        if (!irl__is_index(outputs[k])) {
            irl__fail(cx, IRL_ERROR_BAD_MAP, loc,
                      "output %d of the map is of type %s; it must be an index", k,
                      irl__type_cstr(cx, outputs[k]->type));
            return NULL;
        }
    }
    irl_map *m = IRL__NEW(cx, irl_map, 1);
    if (!m) return NULL;
    m->cx = cx;
    m->input_count = input_count;
    m->output_count = output_count;
    m->inputs = IRL__COPY(cx, const irl_expr *, inputs, input_count);
    m->outputs = IRL__COPY(cx, const irl_expr *, outputs, output_count);
    m->separator_count = separator_count;
    m->separators = IRL__COPY(cx, int, separators, separator_count);
    m->loc = loc;
    return m->inputs && m->outputs && m->separators ? m : NULL;
}

/* The separators of a map with "..." count the named outputs; those behind it move by the axes that
   it stands for. */
static const irl_map *irl__map_expand(irl_ctx *cx, const irl_map *map, int extra)
{
    const irl_expr *inputs[IRL_MAX_RANK], *outputs[IRL_MAX_RANK];
    int             separators[IRL_MAX_RANK], k, n = 0, m = 0;
    for (k = 0; k < map->input_count + extra; k++) {
        int in_dots = k >= map->variadic_in && k < map->variadic_in + extra;
        inputs[k] = in_dots ? irl_expr_var(cx, "axis", irl__type_index()) : map->inputs[n++];
        if (!inputs[k]) return NULL;
    }
    for (k = 0; k < map->output_count + extra; k++) {
        int in_dots = k >= map->variadic_out && k < map->variadic_out + extra;
        outputs[k] = in_dots ? inputs[map->variadic_in + k - map->variadic_out] : map->outputs[m++];
    }
    for (k = 0; k < map->separator_count; k++)
        separators[k] = map->separators[k] > map->variadic_out ? map->separators[k] - 1 + extra
                                                               : map->separators[k];
    if (!irl__separators_valid(cx, map->output_count + extra, map->separator_count, separators,
                               map->loc))
        return NULL;
    return irl__map_make(cx, map->input_count + extra, inputs, map->output_count + extra, outputs,
                         map->separator_count, separators, map->loc);
}

const irl_map *irl__map_of_rank(irl_ctx *cx, const irl_map *map, int rank)
{
    if (!map || !irl__ok(cx)) return NULL;
    int extra = rank - map->input_count;
    if (map->variadic && extra >= 0 && rank <= IRL_MAX_RANK &&
        map->output_count + extra <= IRL_MAX_RANK)
        return irl__map_expand(cx, map, extra);
    if (extra != 0 || map->variadic) {
        irl__text t;
        irl__text_init(&t, cx);
        for (int k = 0; k < map->input_count; k++)
            irl__textf(&t, k ? ", %s" : "%s", map->inputs[k]->u.name);
        const char *names = irl__text_or_empty(irl__text_done(&t));
        irl__fail(cx, IRL_ERROR_RANK_MISMATCH, map->loc,
                  "the map takes %s%d %s, (%s); %d %s given", map->variadic ? "at least " : "",
                  map->input_count, map->input_count == 1 ? "axis" : "axes",
                  names, rank, rank == 1 ? "is" : "are");
        return NULL;
    }
    return map;
}

int irl__map_substitute(irl_ctx *cx, const irl_map *map, const irl_expr *const *indices,
                        const irl_expr **out)
{
    for (int k = 0; k < map->output_count; k++) {
        out[k] = irl__substitute(cx, map->outputs[k], map->input_count, map->inputs, indices);
        if (!out[k]) return 0;
    }
    return 1;
}

int irl_map_input_count(const irl_map *map) { return map ? map->input_count : 0; }
int irl_map_output_count(const irl_map *map) { return map ? map->output_count : 0; }

int irl_map_separators(const irl_map *map, int *separators, int capacity)
{
    int k;
    if (!map) return 0;
    for (k = 0; k < map->separator_count && k < capacity; k++) separators[k] = map->separators[k];
    return map->separator_count;
}
