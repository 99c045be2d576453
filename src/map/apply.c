/* apply.c - applies maps to points, composes them, makes the identity; the box of the images of a
   shape of numbers.

   needs     program.c, the analyzer
   promises  exact results or a diagnostic */
#include "change.h"

const irl_map *irl_map_identity(irl_ctx *cx, int rank)
{
    const irl_expr *v[IRL_MAX_RANK];
    irl__text       name;
    if (!cx || !irl__ok(cx)) return NULL;
    if (rank < 0 || rank > IRL_MAX_RANK) {
        IRL__FAIL(cx, IRL_ERROR_TOO_LARGE, "a map of %d axes; the most is %d", rank, IRL_MAX_RANK);
        return NULL;
    }
    for (int k = 0; k < rank; k++) {
        char buffer[16];
        irl__text_init_fixed(&name, buffer, sizeof buffer);
        irl__textf(&name, "i%d", k);
        v[k] = irl_expr_var(cx, buffer, irl__type_index());
        if (!v[k]) return NULL;
    }
    return irl__map_make(cx, rank, v, rank, v, 0, NULL, irl__nowhere());
}

static int irl__map_is_empty(const irl_map *map)
{
    return map->input_count == 0 && map->output_count == 0 && !map->variadic;
}

/* An extent is no function of the point. */
static int irl__map_is_apart(irl_ctx *cx, const irl_map *map, const irl_shape *shape)
{
    for (int k = 0; shape->named && k < shape->rank; k++)
        for (int i = 0; i < map->input_count; i++)
            if (irl__expr_uses_var(shape->named[k], map->inputs[i]))
                return irl__fail(cx, IRL_ERROR_BAD_ARGUMENT, map->loc,
                                 "extent %d of the shape is '%s', over '%s', an input of the map; "
                                 "an extent is a number, or an expression over other names",
                                 k, irl_expr_text(cx, shape->named[k]), map->inputs[i]->u.name);
    return 1;
}

const irl_map *irl__map_for_shape(irl_ctx *cx, const irl_map *map, irl_shape *shape)
{
    if (cx && !map) IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "the map is NULL");
    if (!cx || !map || !irl__ok(cx) || !irl__shape_settle(cx, shape, IRL__AS_SHAPE, map->loc) ||
        !irl__map_is_apart(cx, map, shape))
        return NULL;
    return irl_map_of_rank(cx, map, shape->rank);
}

const irl_map *irl_map_of_rank(irl_ctx *cx, const irl_map *map, int rank)
{
    if (!cx || !map || !irl__ok(cx)) return NULL;
    return irl__map_is_empty(map) ? irl_map_identity(cx, rank) : irl__map_of_rank(cx, map, rank);
}

/* ------------------------------------------------------------------ apply */

int irl_map_apply(irl_ctx *cx, const irl_map *map, irl_shape point, irl_shape *out)
{
    if (!cx || !map || !out || !irl__ok(cx)) return 0;
    if (!irl__shape_is_counted(cx, &point, IRL__AS_POINT, "irl_map_apply", map->loc)) return 0;
    if (irl__map_is_empty(map)) return *out = point, 1;
    map = irl__map_of_rank(cx, map, point.rank);
    if (!map) return 0;
    memset(out, 0, sizeof *out);
    out->rank = map->output_count;
    for (int k = 0; k < map->output_count; k++) {
        irl__no_value    why;
        irl__fold_status status;
        memset(&why, 0, sizeof why);
        status = irl__value_at_why(map->outputs[k], map->input_count, map->inputs, point.extent,
                                   &out->extent[k], &why);
        if (why.part) return irl__no_value_fail(cx, map->loc, &why, point.rank, point.extent);
        if (status != IRL__FOLD_OK)
            return irl__fail(
                cx, IRL_ERROR_BAD_MAP, map->loc,
                "output %d of the map cannot be computed: it names something that is not an "
                "index", k);
    }
    return 1;
}

/* ------------------------------------------------------------------ compose */

const irl_map *irl_map_compose(irl_ctx *cx, const irl_map *outer, const irl_map *inner)
{
    const irl_expr *out[IRL_MAX_RANK];
    if (!cx || !outer || !inner || !irl__ok(cx)) return NULL;
    if (irl__map_is_empty(outer)) return inner;
    if (irl__map_is_empty(inner)) return outer;
    if (inner->variadic) { /* as many axes as the outer map asks for */
        int rank = outer->input_count - (inner->output_count - inner->input_count);
        if (outer->variadic || rank < inner->input_count) {
            irl__fail(cx, IRL_ERROR_RANK_MISMATCH, inner->loc,
                      "maps with '...' are composed once their rank is known");
            return NULL;
        }
        inner = irl__map_of_rank(cx, inner, rank);
        if (!inner) return NULL;
    }
    outer = irl__map_of_rank(cx, outer, inner->output_count);
    if (!outer || !irl__map_substitute(cx, outer, inner->outputs, out)) return NULL;
    irl__arena_mark mark = irl__scratch_begin(cx);
    irl__analyzer  *an = irl__analyzer_begin(cx);
    int             ok = an != NULL;
    for (int k = 0; ok && k < outer->output_count; k++)
        ok = (out[k] = irl__simplify(an, out[k])) != NULL;
    irl__scratch_end(cx, mark);
    return ok ? irl__map_make(cx, inner->input_count, inner->inputs, outer->output_count, out,
                              outer->separator_count, outer->separators, outer->loc)
              : NULL;
}

/* ------------------------------------------------------------------ shape */

/* The value of e where the variables stand at `at`; false if it has none. */
static int irl__shape_value_at(const irl_map *map, const irl_expr *e, const int64_t *at,
                               int64_t *out)
{
    return irl__work(map->cx, (int64_t)e->size * 4) &&
           irl__value_at(e, map->input_count, map->inputs, at, out) == IRL__FOLD_OK;
}

/* Constants that divide somewhere in e: the places where its value may jump. */
static void irl__shape_divisors(const irl_expr *e, int64_t *list, int *count, int capacity)
{
    int i;
    if ((e->op == IRL_OP_FLOORDIV || e->op == IRL_OP_FLOORMOD) && e->a[1]->op == IRL_OP_INT &&
        e->a[1]->u.i > 1) {
        for (i = 0; i < *count && list[i] != e->a[1]->u.i; i++) continue;
        if (i == *count && *count < capacity) list[(*count)++] = e->a[1]->u.i;
    }
    for (uint32_t k = 0; k < e->count && e->op != IRL_OP_VAR; k++)
        irl__shape_divisors(e->a[k], list, count, capacity);
}

enum { IRL__CLIMB_WORK = 1 << 22 }; /* nodes evaluated */

/* Looks for a point with e == goal by moving one coordinate at a time towards larger (sign 1) or
   smaller values. Only a help: a bound that is known and attained is exact. */
static int irl__shape_climb(const irl_map *map, const irl_shape *shape, const irl_expr *e,
                            int64_t goal, int sign, int64_t *at)
{
    int64_t best, v, divisors[6], candidates[20], work = IRL__CLIMB_WORK;
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
            /* the last multiple, the value just before it, the end of the first cell */
            for (i = 0; i < count; i++) {
                int64_t edge = (last / divisors[i]) * divisors[i];
                candidates[n++] = edge;
                candidates[n++] = edge > 0 ? edge - 1 : 0;
                candidates[n++] = divisors[i] - 1 < last ? divisors[i] - 1 : last;
            }
            for (i = 0; i < n && (work -= e->size) > 0; i++) {
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

/* Least (sign -1) or largest value of one output, and a point that has it, by looking at all points
   of the axes that it uses. */
static int irl__extreme_by_enumeration(irl_ctx *cx, const irl_map *map, const irl_shape *shape,
                                       int output, int sign, irl__budget *budget, int64_t *best,
                                       int64_t *at)
{
    int64_t          done = 0, where = 0, reduced[IRL_MAX_RANK];
    irl__arena_mark  mark = irl__scratch_begin(cx);
    irl__output_walk o;
    int n = 0, i, ok = irl__output_walk_begin(cx, &o, map, shape, &map->outputs[output], budget);
    while (ok > 0 && (n = irl__walk_next(&o.walk, &o.program)) > 0) {
        const int64_t *v = irl__program_output(&o.program, 0);
        if (!irl__program_run(&o.program, n)) {
            ok = irl__program_fail(&o.program, map->loc);
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
    if (n < 0) ok = -1;
    if (ok > 0) {
        irl__point_of(o.axes.rank, o.axes.extent, where, reduced);
        irl__axes_point(&o.axes, reduced, map->input_count, at);
    }
    irl__scratch_end(cx, mark);
    return ok;
}

/* An output that is linear over bits, where every extent is a power of two. */
static int irl__extreme_by_bits(const irl_map *map, const irl_shape *shape, const irl_expr *e,
                                int sign, int64_t *value, int64_t *at)
{
    irl__bit_space s;
    irl__bit_rows  r;
    uint64_t       v, x;
    if (!irl__bit_space_make(&s, map->input_count, map->inputs, shape->extent) || !s.whole ||
        !irl__bit_rows_of(&s, e, &r))
        return 0;
    irl__bits_extreme(&r, sign, &v, &x);
    irl__bits_point(&s, x, at);
    return irl__shape_value_at(map, e, at, value) && *value == (int64_t)v;
}

int irl__output_extreme(irl__domain *d, int output, int sign, int64_t *value, int64_t *at)
{
    const irl_expr *e = irl__domain_output(d, output);
    int             ok = e ? irl__change_ends(d, output, sign, value, at) : 0;
    if (ok >= 0) return ok;
    irl__interval r = irl__interval_of(d->an, e);
    *value = sign > 0 ? r.hi : r.lo;
    if (irl__shape_climb(d->map, d->shape, e, *value, sign, at)) return 1;
    if (irl__extreme_by_bits(d->map, d->shape, e, sign, value, at)) return 1;
    return irl__extreme_by_enumeration(d->cx, d->map, d->shape, output, sign, d->budget, value, at);
}

/* ------------------------------------------------------------------ the box */

const char *irl__reason(irl_ctx *cx, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = irl__text_of(cx, format, arguments);
    va_end(arguments);
    return text;
}

const char *irl__reason_of_work(const irl__question *q, const char *reason)
{
    if (!q->cx || !irl__ok(q->cx) || !(q->cx->steps_spent || q->cx->steps_short)) return reason;
    if (q->cx->steps_spent)
        return irl__reason(
            q->cx, "deciding it takes more than %l steps; most_work allows more (irlc --work)",
            q->cx->most_steps);
    return irl__reason(q->cx, "%s, in %l steps; most_work allows more (irlc --work)", reason,
                       q->cx->most_steps);
}

/* A map without a value somewhere. */
static int irl__box_gap(irl_ctx *cx, const irl_map *map, const irl_shape *shape,
                        const irl__budget *budget, const irl__gap *gap, irl__doubt *doubt)
{
    irl__text t;
    if (budget->total) {
        doubt->reason = irl__reason(cx, "stopped by the caller after %l of %l points", budget->done,
                                    budget->total);
        return -1;
    }
    if (gap->certain) {
        doubt->kind = IRL_UNDEFINED;
        doubt->code = irl__no_value_code(gap->why.status);
        doubt->a.rank = map->input_count;
        memcpy(doubt->a.extent, gap->at, (size_t)map->input_count * sizeof *gap->at);
    }
    irl__text_init(&t, cx);
    irl__gap_text(&t, gap, map, shape);
    doubt->reason = irl__text_done(&t);
    return doubt->reason ? -1 : 0;
}

static int irl__box_output(irl__domain *d, int k, irl_shape *physical, irl_shape *minimum,
                           irl__doubt *doubt)
{
    int64_t at[IRL_MAX_RANK], end[2] = { 0, 0 };
    int     ok = irl__change_ends(d, k, 0, end, at);
    minimum->extent[k] = end[0];
    physical->extent[k] = end[1];
    if (ok < 0) {
        ok = irl__output_extreme(d, k, -1, &minimum->extent[k], at);
        if (ok > 0) ok = irl__output_extreme(d, k, 1, &physical->extent[k], at);
    }
    if (ok < 0) {
        const irl__budget *budget = d->budget;
        irl__text          t;
        if (budget->total) {
            doubt->reason = irl__reason(d->cx, "stopped by the caller after %l of %l points",
                                        budget->done, budget->total);
            return -1;
        }
        irl__text_init(&t, d->cx);
        irl__textf(&t, "the range of output %d is not known exactly, and ", k);
        irl__points_text(&t, d->shape);
        irl__text_puts(&t, " are too many to examine");
        doubt->reason = irl__text_done(&t);
        return doubt->reason ? -1 : 0;
    }
    if (ok == 0 || irl__add64(physical->extent[k], 1, &physical->extent[k])) return ok;
    doubt->code = IRL_ERROR_OVERFLOW;
    doubt->a.rank = d->map->input_count;
    ok = irl__output_extreme(d, k, 1, end, doubt->a.extent);
    if (ok > 0) doubt->kind = IRL_OUT_OF_RANGE;
    if (ok == 0) return 0;
    doubt->reason =
        irl__reason(d->cx, "overflow at the extent of output %d: its largest index is %l", k,
                    physical->extent[k]);
    return -1;
}

int irl__map_box(irl__domain *d, irl_shape *physical, irl_shape *minimum, irl__doubt *doubt)
{
    irl__gap gap;
    memset(doubt, 0, sizeof *doubt);
    doubt->kind = IRL_UNDECIDED;
    doubt->code = IRL_ERROR_UNDECIDED;
    memset(minimum, 0, sizeof *minimum);
    memset(physical, 0, sizeof *physical);
    minimum->rank = physical->rank = d->map->output_count;
    int ok = irl__map_has_values(d, &gap);
    if (ok < 0) ok = irl__box_gap(d->cx, d->map, d->shape, d->budget, &gap, doubt);
    for (int k = 0; ok > 0 && !d->empty && k < d->map->output_count; k++)
        ok = irl__box_output(d, k, physical, minimum, doubt);
    return ok;
}
