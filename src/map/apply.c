/* apply.c - where points go: apply, shape, compose, identity.

   needs     program.c, the analyzer
   promises  exact results or a diagnostic */
#include "map.h"

const irl_map *irl_map_identity(irl_ctx *cx, int rank)
{
    const irl_expr *v[IRL_MAX_RANK];
    irl__text       name;
    int             k;
    if (!cx || !irl__ok(cx)) return NULL;
    if (rank < 0 || rank > IRL_MAX_RANK) {
        irl__fail(cx, IRL_ERROR_TOO_LARGE, irl__nowhere(), "a map of %d axes; the most is %d", rank, IRL_MAX_RANK);
        return NULL;
    }
    for (k = 0; k < rank; k++) {
        char buffer[16];
        irl__text_init_fixed(&name, buffer, sizeof buffer);
        irl__textf(&name, "i%d", k);
        v[k] = irl_var(cx, buffer, irl__type_index());
        if (!v[k]) return NULL;
    }
    return irl__map_make(cx, rank, v, rank, v, 0, NULL, irl__nowhere());
}

static int irl__map_is_empty(const irl_map *map) { return map->input_count == 0 && map->output_count == 0 && !map->variadic; }

const irl_map *irl__map_for_shape(irl_ctx *cx, const irl_map *map, const irl_shape *shape)
{
    int k;
    if (!cx || !map || !irl__ok(cx)) return NULL;
    if (shape->rank < 0 || shape->rank > IRL_MAX_RANK) {
        irl__fail(cx, IRL_ERROR_BAD_ARGUMENT, map->loc, "a shape of %d axes; 0 to %d are possible", shape->rank, IRL_MAX_RANK);
        return NULL;
    }
    for (k = 0; k < shape->rank; k++)
        if (shape->extent[k] < 0) {
            irl__fail(cx, IRL_ERROR_BAD_ARGUMENT, map->loc, "extent %d of the shape is %l; it must not be negative", k, shape->extent[k]);
            return NULL;
        }
    return irl__map_is_empty(map) ? irl_map_identity(cx, shape->rank) : irl__map_of_rank(cx, map, shape->rank);
}

const irl_map *irl_map_of_rank(irl_ctx *cx, const irl_map *map, int rank)
{
    if (!cx || !map || !irl__ok(cx)) return NULL;
    return irl__map_is_empty(map) ? irl_map_identity(cx, rank) : irl__map_of_rank(cx, map, rank);
}

/* ------------------------------------------------------------------ apply */

static int irl__map_no_value(irl_ctx *cx, irl__eval_status status, const irl_map *map, int output)
{
    switch (status) {
    case IRL__EVAL_ZERO_DIVISION: return irl__fail(cx, IRL_ERROR_DIVISION_BY_ZERO, map->loc, "output %d of the map divides by zero here", output);
    case IRL__EVAL_OVERFLOW: return irl__fail(cx, IRL_ERROR_OVERFLOW, map->loc, "output %d of the map overflows here", output);
    case IRL__EVAL_BAD_SHIFT: return irl__fail(cx, IRL_ERROR_BAD_MAP, map->loc, "output %d of the map shifts too far here", output);
    default: return irl__fail(cx, IRL_ERROR_BAD_MAP, map->loc, "output %d of the map cannot be computed: it names something that is no index", output);
    }
}

int irl_map_apply(irl_ctx *cx, const irl_map *map, irl_shape point, irl_shape *out)
{
    int k;
    if (!cx || !map || !out || !irl__ok(cx)) return 0;
    if (irl__map_is_empty(map)) return *out = point, 1;
    map = irl__map_of_rank(cx, map, point.rank);
    if (!map) return 0;
    memset(out, 0, sizeof *out);
    out->rank = map->output_count;
    for (k = 0; k < map->output_count; k++) {
        irl__eval_status status = irl__evaluate(map->outputs[k], map->input_count, map->inputs, point.extent, &out->extent[k]);
        if (status != IRL__EVAL_OK) return irl__map_no_value(cx, status, map, k);
    }
    return 1;
}

/* ------------------------------------------------------------------ compose */

const irl_map *irl_map_compose(irl_ctx *cx, const irl_map *outer, const irl_map *inner)
{
    const irl_expr *out[IRL_MAX_RANK];
    irl__arena_mark mark;
    irl__analyzer  *an;
    int             k, ok;
    if (!cx || !outer || !inner || !irl__ok(cx)) return NULL;
    if (irl__map_is_empty(outer)) return inner;
    if (irl__map_is_empty(inner)) return outer;
    if (inner->variadic) { /* as many axes as the outer map asks for */
        int rank = outer->input_count - (inner->output_count - inner->input_count);
        if (outer->variadic || rank < inner->input_count) {
            irl__fail(cx, IRL_ERROR_RANK_MISMATCH, inner->loc, "maps with '...' are composed once their rank is known");
            return NULL;
        }
        inner = irl__map_of_rank(cx, inner, rank);
        if (!inner) return NULL;
    }
    outer = irl__map_of_rank(cx, outer, inner->output_count);
    if (!outer || !irl__map_substitute(cx, outer, inner->outputs, out)) return NULL;
    mark = irl__scratch_begin(cx);
    an = irl__analyzer_begin(cx);
    ok = an != NULL;
    for (k = 0; ok && k < outer->output_count; k++) ok = (out[k] = irl__simplify(an, out[k])) != NULL;
    irl__scratch_end(cx, mark);
    return ok ? irl__map_make(cx, inner->input_count, inner->inputs, outer->output_count, out, outer->separator_count,
                              outer->separators, outer->loc)
              : NULL;
}

/* ------------------------------------------------------------------ shape */

irl__analyzer *irl__map_analyzer(irl_ctx *cx, const irl_map *map, const irl_shape *shape)
{
    irl__analyzer *an = irl__analyzer_begin(cx);
    int            k;
    for (k = 0; an && k < map->input_count; k++)
        if (!irl__bind_range(an, map->inputs[k], 0, shape->extent[k] > 0 ? shape->extent[k] - 1 : 0)) return NULL;
    return an;
}

/* The value of e where the variables stand at `at`; false if it has none. */
static int irl__shape_value_at(const irl_map *map, const irl_expr *e, const int64_t *at, int64_t *out)
{
    return irl__evaluate(e, map->input_count, map->inputs, at, out) == IRL__EVAL_OK;
}

/* Constants that divide somewhere in e: the places where its value may jump. */
static void irl__shape_divisors(const irl_expr *e, int64_t *list, int *count, int capacity)
{
    uint32_t k;
    int      i;
    if ((e->op == IRL_OP_FLOORDIV || e->op == IRL_OP_FLOORMOD) && e->a[1]->op == IRL_OP_INT && e->a[1]->u.i > 1) {
        for (i = 0; i < *count && list[i] != e->a[1]->u.i; i++) continue;
        if (i == *count && *count < capacity) list[(*count)++] = e->a[1]->u.i;
    }
    for (k = 0; k < e->count && e->op != IRL_OP_VAR; k++) irl__shape_divisors(e->a[k], list, count, capacity);
}

/* Looks for a point with e == goal by moving one coordinate at a time towards larger (sign 1) or smaller values. Only a help:
   a bound that is known and attained is exact. */
static int irl__shape_climb(const irl_map *map, const irl_shape *shape, const irl_expr *e, int64_t goal, int sign, int64_t *at)
{
    int64_t best, v, divisors[6], candidates[20];
    int     k, i, n, round, count = 0, moved = 1;
    irl__shape_divisors(e, divisors, &count, 6);
    for (k = 0; k < map->input_count; k++) at[k] = 0;
    if (!irl__shape_value_at(map, e, at, &best)) return 0;
    for (round = 0; round < 4 && best != goal && moved; round++) {
        moved = 0;
        for (k = 0; k < map->input_count && best != goal; k++) {
            int64_t keep = at[k], last = shape->extent[k] - 1;
            if (last < 0 || !irl__expr_uses_var(e, map->inputs[k])) continue;
            n = 0;
            candidates[n++] = 0;
            candidates[n++] = last;
            for (i = 0; i < count; i++) { /* the last multiple, the value just before it, the end of the first cell */
                int64_t edge = (last / divisors[i]) * divisors[i];
                candidates[n++] = edge;
                candidates[n++] = edge > 0 ? edge - 1 : 0;
                candidates[n++] = divisors[i] - 1 < last ? divisors[i] - 1 : last;
            }
            for (i = 0; i < n; i++) {
                at[k] = candidates[i];
                if (irl__shape_value_at(map, e, at, &v) && (sign > 0 ? v > best : v < best)) {
                    best = v;
                    keep = at[k];
                    moved = 1;
                }
            }
            at[k] = keep;
        }
    }
    return best == goal;
}

/* Least (sign -1) or largest value of one output, and a point that has it, by looking at all points of the axes that it uses. */
static int irl__extreme_by_enumeration(irl_ctx *cx, const irl_map *map, const irl_shape *shape, int output, int sign, int64_t *best, int64_t *at)
{
    const irl_expr *inputs[IRL_MAX_RANK];
    int64_t         extent[IRL_MAX_RANK], done = 0, where = 0, reduced[IRL_MAX_RANK];
    int             axis[IRL_MAX_RANK];
    irl__arena_mark mark = irl__scratch_begin(cx);
    irl__program    p;
    irl__walk       w;
    int             rank = 0, k, n, i, ok = 1;
    for (k = 0; k < map->input_count; k++) {
        at[k] = 0;
        if (!irl__expr_uses_var(map->outputs[output], map->inputs[k])) continue;
        inputs[rank] = map->inputs[k];
        axis[rank] = k;
        extent[rank++] = shape->extent[k];
    }
    memset(&p, 0, sizeof p);
    p.cx = cx;
    if (!irl__program_make(&p, NULL, rank, inputs, 1, &map->outputs[output])) ok = 0;
    else if (!irl__walk_begin(&w, rank, extent, IRL__MOST_POINTS)) ok = -1;
    while (ok > 0 && (n = irl__walk_next(&w, &p)) > 0) {
        const int64_t *v = irl__program_output(&p, 0);
        if (!irl__program_run(&p, n)) {
            ok = irl__program_fail(&p, map->loc);
            break;
        }
        if (done == 0) *best = v[0];
        for (i = 0; i < n; i++)
            if (sign > 0 ? v[i] > *best : v[i] < *best) {
                *best = v[i];
                where = done + i;
            }
        done += n;
    }
    if (ok > 0) {
        irl__point_of(rank, extent, where, reduced);
        for (k = 0; k < rank; k++) at[axis[k]] = reduced[k];
    }
    irl__scratch_end(cx, mark);
    return ok;
}

/* An output that is linear over bits, where every extent is a power of two. */
static int irl__extreme_by_bits(const irl_map *map, const irl_shape *shape, const irl_expr *e, int sign, int64_t *value, int64_t *at)
{
    irl__bit_space s;
    irl__bit_rows  r;
    uint64_t       v, x;
    if (!irl__bit_space_make(&s, map->input_count, map->inputs, shape->extent) || !s.whole || !irl__bit_rows_of(&s, e, &r)) return 0;
    irl__bits_extreme(&r, sign, &v, &x);
    irl__bits_point(&s, x, at);
    return irl__shape_value_at(map, e, at, value) && *value == (int64_t)v;
}

int irl__output_extreme(irl_ctx *cx, irl__analyzer *an, const irl_map *map, const irl_shape *shape, int output, int sign, int64_t *value,
                        int64_t *at)
{
    const irl_expr *e = irl__simplify(an, map->outputs[output]);
    irl__interval   r;
    if (!e) return 0;
    r = irl__interval_of(an, e);
    *value = sign > 0 ? r.hi : r.lo;
    if (irl__shape_climb(map, shape, e, *value, sign, at)) return 1;
    if (irl__extreme_by_bits(map, shape, e, sign, value, at)) return 1;
    return irl__extreme_by_enumeration(cx, map, shape, output, sign, value, at);
}

int irl__map_box(irl_ctx *cx, const irl_map *map, const irl_shape *shape, irl_shape *physical, irl_shape *minimum, int *output)
{
    irl__arena_mark mark = irl__scratch_begin(cx);
    irl__analyzer  *an = irl__map_analyzer(cx, map, shape);
    int64_t         at[IRL_MAX_RANK];
    int             k, ok = an != NULL, empty = 0;
    memset(minimum, 0, sizeof *minimum);
    memset(physical, 0, sizeof *physical);
    minimum->rank = physical->rank = map->output_count;
    for (k = 0; k < shape->rank; k++) empty |= shape->extent[k] == 0;
    for (k = 0; ok > 0 && !empty && k < map->output_count; k++) {
        *output = k;
        ok = irl__output_extreme(cx, an, map, shape, k, -1, &minimum->extent[k], at);
        if (ok > 0) ok = irl__output_extreme(cx, an, map, shape, k, 1, &physical->extent[k], at);
        if (ok > 0 && !irl__add64(physical->extent[k], 1, &physical->extent[k]))
            ok = irl__fail(cx, IRL_ERROR_OVERFLOW, map->loc, "output %d of the map reaches beyond 63 bits", k);
    }
    irl__scratch_end(cx, mark);
    return ok;
}

int irl_map_shape(irl_ctx *cx, const irl_map *map, irl_shape shape, irl_shape *physical, irl_shape *minimum)
{
    irl_shape lo, hi;
    int       ok, output = 0;
    map = irl__map_for_shape(cx, map, &shape);
    if (!map) return 0;
    ok = irl__map_box(cx, map, &shape, &hi, &lo, &output);
    if (ok < 0)
        return irl__fail(cx, IRL_ERROR_UNDECIDED, map->loc, "the range of output %d is not known exactly, and its points are too many to look at", output);
    if (ok && physical) *physical = hi;
    if (ok && minimum) *minimum = lo;
    return ok;
}

/* ------------------------------------------------------------------ what a buffer has */

void irl__memory_box(const irl_map *map, irl_shape *physical)
{
    int k;
    for (k = 0; k < map->output_count; k++) {
        const irl_expr *e = map->outputs[k];
        if (e->op == IRL_OP_FLOORMOD && e->a[1]->op == IRL_OP_INT && physical->extent[k] < e->a[1]->u.i) physical->extent[k] = e->a[1]->u.i;
    }
}

int irl_map_memory(irl_ctx *cx, const irl_map *map, irl_shape shape, irl_shape *memory)
{
    map = irl__map_for_shape(cx, map, &shape);
    if (!map || !irl_map_shape(cx, map, shape, memory, NULL)) return 0;
    irl__memory_box(map, memory);
    return 1;
}

int irl_map_ranges(irl_ctx *cx, const irl_map *map, irl_shape first, irl_shape shape, irl_shape *physical, irl_shape *minimum)
{
    const irl_expr *moved[IRL_MAX_RANK], *out[IRL_MAX_RANK];
    int             k;
    map = irl__map_for_shape(cx, map, &shape);
    if (!map) return 0;
    if (first.rank != shape.rank)
        return irl__fail(cx, IRL_ERROR_RANK_MISMATCH, map->loc, "a first point of %d axes and a shape of %d", first.rank, shape.rank);
    for (k = 0; k < map->input_count; k++) moved[k] = irl__add(cx, map->inputs[k], irl_idx(cx, first.extent[k]));
    if (!irl__map_substitute(cx, map, moved, out)) return 0;
    map = irl__map_make(cx, map->input_count, map->inputs, map->output_count, out, 0, NULL, map->loc);
    return map ? irl_map_shape(cx, map, shape, physical, minimum) : 0;
}
