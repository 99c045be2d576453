/* inverse.c - the way back: a map's inverse and the predicate of its padding.

   needs     solve.c
   promises  an inverse that is handed out was checked: inverse(map(i)) simplifies to i for every input, or was compared at
             every point. Since a map with a left inverse is injective, that is also how most verdicts are reached.
             The padding predicate is true for exactly the cells of the physical box that no point reaches: a cell y is
             reached if and only if x = inverse(y) lies in the shape and map(x) = y. What of that is not already certain
             for every cell of the box is the predicate's negation. */
#include "map.h"

/* ------------------------------------------------------------------ the inverse */

/* axis0, axis1, ...: the inverse's inputs. */
static int irl__inverse_axes(irl_ctx *cx, int count, const irl_expr **axes)
{
    int k;
    for (k = 0; k < count; k++) {
        char      buffer[16];
        irl__text name;
        irl__text_init_fixed(&name, buffer, sizeof buffer);
        irl__textf(&name, "axis%d", k);
        axes[k] = irl_var(cx, buffer, irl__type_index());
        if (!axes[k]) return 0;
    }
    return 1;
}

/* inverse(map(i)) == i by simplification. */
static int irl__inverse_proved(irl_ctx *cx, irl__analyzer *an, const irl_map *map, const irl_expr *const *axes,
                               const irl_expr *const *forward, const irl_expr *const *back)
{
    int k;
    for (k = 0; k < map->input_count; k++) {
        const irl_expr *e = irl__substitute(cx, back[k], map->output_count, axes, forward);
        if (!e) return 0;
        e = irl__simplify(an, e);
        if (!e) return 0;
        if (e != irl__simplify(an, map->inputs[k]) && !irl__prove_equal(an, e, map->inputs[k])) return 0;
    }
    return 1;
}

/* inverse(map(i)) == i at every point: 1, or 0 if not or too many. */
static int irl__inverse_compared(irl_ctx *cx, const irl_map *map, const irl_shape *shape, const irl_expr *const *axes,
                                 const irl_expr *const *back)
{
    const irl_expr *round[IRL_MAX_RANK];
    irl__arena_mark mark = irl__scratch_begin(cx);
    irl__program    p;
    irl__walk       w;
    int             k, n, i, ok = 1;
    for (k = 0; ok && k < map->input_count; k++)
        ok = (round[k] = irl__substitute(cx, back[k], map->output_count, axes, map->outputs)) != NULL;
    memset(&p, 0, sizeof p);
    p.cx = cx;
    ok = ok && irl__program_make(&p, NULL, map->input_count, map->inputs, map->input_count, round) &&
         irl__walk_begin(&w, map->input_count, shape->extent, IRL__MOST_CELLS);
    while (ok && (n = irl__walk_next(&w, &p)) > 0) {
        ok = irl__program_run(&p, n);
        for (k = 0; ok && k < map->input_count; k++)
            for (i = 0; i < n; i++) ok &= irl__program_output(&p, k)[i] == irl__program_input(&p, k)[i];
    }
    irl__scratch_end(cx, mark);
    return ok;
}

int irl__inverse_find(irl_ctx *cx, const irl_map *map, irl_verdict *v, irl__inverse *inverse)
{
    const irl_expr *forward[IRL_MAX_RANK], *axes[IRL_MAX_RANK], *back[IRL_MAX_RANK];
    irl__analyzer  *an = irl__map_analyzer(cx, map, &v->shape);
    int             k;
    memset(inverse, 0, sizeof *inverse);
    if (!an || !irl__solve_begin(&inverse->solution, an, map->input_count, map->inputs)) return 0;
    if (!irl__inverse_axes(cx, map->output_count, axes)) return 0;
    for (k = 0; k < map->output_count; k++) {
        forward[k] = irl__simplify(an, map->outputs[k]);
        if (!forward[k] || !irl__bind_range(an, axes[k], v->minimum.extent[k], v->physical.extent[k] - 1)) return 0;
    }
    for (k = 0; k < map->output_count; k++)
        if (!irl__solve_add(&inverse->solution, forward[k], axes[k])) return 0;
    k = irl__solve(&inverse->solution, back);
    if (k < 0) return 0;
    if (k < map->input_count) return -1;
    if (!irl__inverse_proved(cx, an, map, axes, forward, back)) {
        if (!irl__ok(cx)) return 0;
        if (!irl__inverse_compared(cx, map, &v->shape, axes, back)) return irl__ok(cx) ? -1 : 0;
    }
    inverse->map = irl__map_make(cx, map->output_count, axes, map->input_count, back, 0, NULL, map->loc);
    return inverse->map != NULL;
}

/* ------------------------------------------------------------------ the padding */

enum { IRL__MOST_CONDITIONS = 128 };

typedef struct irl__conditions {
    irl__analyzer  *an; /* the cells of the box */
    const irl_expr *list[IRL__MOST_CONDITIONS];
    int             count, overflow;
} irl__conditions;

static void irl__condition_add(irl__conditions *c, const irl_expr *e)
{
    int k;
    e = irl__simplify(c->an, e);
    if (!e || (e->op == IRL_OP_INT && e->u.i)) return;
    if (e->op == IRL_OP_AND) {
        irl__condition_add(c, e->a[0]);
        irl__condition_add(c, e->a[1]);
        return;
    }
    for (k = 0; k < c->count; k++)
        if (c->list[k] == e) return;
    if (c->count == IRL__MOST_CONDITIONS) {
        c->overflow = 1;
        return;
    }
    c->list[c->count++] = e;
}

/* lo <= e <= hi, both as far as they are known. */
static void irl__condition_range(irl_ctx *cx, irl__conditions *c, const irl_expr *e, int64_t lo, int64_t hi)
{
    if (lo != INT64_MIN) irl__condition_add(c, irl_op2(cx, IRL_OP_GE, e, irl_idx(cx, lo)));
    if (hi != INT64_MAX) irl__condition_add(c, irl_op2(cx, IRL_OP_LE, e, irl_idx(cx, hi)));
}

/* Drops every condition that follows from the others; longer ones are tried first. */
static void irl__conditions_thin(irl__conditions *c)
{
    int dropped[IRL__MOST_CONDITIONS], k, i, mark, n = 0, tried;
    uint32_t size, largest = UINT32_MAX;
    memset(dropped, 0, sizeof dropped);
    for (tried = 0; tried < c->count;) {
        size = 0;
        for (k = 0; k < c->count; k++)
            if (c->list[k]->size > size && c->list[k]->size < largest) size = c->list[k]->size;
        largest = size;
        for (k = c->count - 1; k >= 0; k--) {
            if (c->list[k]->size != size) continue;
            tried++;
            mark = irl__facts_mark(c->an);
            for (i = 0; i < c->count; i++)
                if (i != k && !dropped[i]) (void)irl__fact(c->an, c->list[i]);
            dropped[k] = irl__prove(c->an, c->list[k]);
            irl__facts_release(c->an, mark);
        }
        if (size == 0) break;
    }
    for (k = 0; k < c->count; k++)
        if (!dropped[k]) c->list[n++] = c->list[k];
    c->count = n;
}

/* The conditions under which a cell is reached. */
static void irl__conditions_of_image(irl_ctx *cx, irl__conditions *c, const irl_map *map, const irl_verdict *v, const irl__inverse *inverse)
{
    const irl_expr *const *axes = inverse->map->inputs;
    irl__analyzer         *points = inverse->solution.an;
    int                    k, mark;
    for (k = 0; k < map->output_count; k++)
        irl__condition_add(c, irl_op2(cx, IRL_OP_GE, axes[k], irl_idx(cx, v->minimum.extent[k])));
    for (k = 0; k < map->input_count; k++)
        irl__condition_range(cx, c, inverse->map->outputs[k], 0, v->shape.extent[k] - 1);
    for (k = 0; k < inverse->solution.count; k++) {
        irl__interval r = irl__interval_of(points, inverse->solution.equations[k].what);
        irl__condition_range(cx, c, inverse->solution.equations[k].value, r.lo, r.hi);
    }
    mark = irl__facts_mark(c->an);
    for (k = 0; k < c->count; k++) (void)irl__fact(c->an, c->list[k]);
    for (k = 0; k < map->output_count; k++) { /* map(inverse(y)) == y, as far as it does not follow */
        const irl_expr *e = irl__substitute(cx, map->outputs[k], map->input_count, map->inputs, inverse->map->outputs);
        if (e) irl__condition_add(c, irl_op2(cx, IRL_OP_EQ, e, axes[k]));
    }
    irl__facts_release(c->an, mark);
}

const irl_expr *irl__inverse_padding(irl_ctx *cx, const irl_map *map, const irl_verdict *v, const irl__inverse *inverse)
{
    irl__conditions c;
    const irl_expr *e = NULL;
    int             k;
    if (v->pad_cells == 0) return irl__bool(cx, 0);
    memset(&c, 0, sizeof c);
    c.an = irl__analyzer_begin(cx);
    for (k = 0; c.an && k < map->output_count; k++)
        if (!irl__bind_range(c.an, inverse->map->inputs[k], 0, v->physical.extent[k] - 1)) return NULL;
    if (!c.an) return NULL;
    irl__conditions_of_image(cx, &c, map, v, inverse);
    irl__conditions_thin(&c);
    if (!irl__ok(cx) || c.overflow) return NULL;
    for (k = 0; k < c.count; k++) {
        const irl_expr *n = irl__simplify(c.an, irl_op1(cx, IRL_OP_NOT, c.list[k]));
        e = e ? irl_op2(cx, IRL_OP_OR, e, n) : n;
    }
    if (e) e = irl__simplify(c.an, e);
    return e ? e : irl__bool(cx, 0);
}
