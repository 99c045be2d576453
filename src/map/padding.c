/* padding.c - the cells that no point reaches, as a predicate over the cells of the box.

   needs     an inverse, or conditions that a point's cell keeps
   promises  the predicate is true for exactly the cells of the physical box that no point reaches:
             a cell y is reached if and only if x = inverse(y) lies in the shape and map(x) = y.
             What of that is not already certain for every cell of the box is the predicate's
             negation */
#include "map.h"

enum { IRL__MOST_CONDITIONS = 128, IRL__FEW_CONDITIONS = 5, IRL__LONG_CONDITION = 16 };

typedef struct irl__conditions {
    irl__analyzer  *an; /* the cells of the box */
    const irl_expr *list[IRL__MOST_CONDITIONS];
    int             count, overflow;
    int             many; /* or long: they stay as they are */
} irl__conditions;

/* Choices in it, and more than a few parts: the rules would look at every pair of arms. It stays as
   it is. */
static int irl__condition_is_long(const irl_expr *e, int top)
{
    if (top && e->size <= IRL__LONG_CONDITION) return 0;
    if (e->op == IRL_OP_SELECT || e->op == IRL_OP_IF_THEN_ELSE) return 1;
    for (uint32_t k = 0; k < e->count; k++)
        if (irl__condition_is_long(e->a[k], 0)) return 1;
    return 0;
}

static void irl__condition_add(irl__conditions *c, const irl_expr *e)
{
    if (!e) return;
    if (!irl__condition_is_long(e, 1)) e = irl__simplify(c->an, e);
    else c->many = 1;
    if (!e || (e->op == IRL_OP_INT && e->u.i)) return;
    if (e->op == IRL_OP_AND) {
        irl__condition_add(c, e->a[0]);
        irl__condition_add(c, e->a[1]);
        return;
    }
    for (int k = 0; k < c->count; k++)
        if (c->list[k] == e) return;
    if (c->count == IRL__MOST_CONDITIONS) {
        c->overflow = 1;
        return;
    }
    c->list[c->count++] = e;
}

/* Assumes all conditions but number `but` (-1: none left out). */
static void irl__conditions_assume(irl__conditions *c, const int *dropped, int but)
{
    for (int i = 0; i < c->count; i++)
        if (i != but && !dropped[i]) (void)irl__fact(c->an, c->list[i]);
}

/* Drops what follows from the others, longer ones first. */
static void irl__conditions_thin(irl__conditions *c)
{
    int      dropped[IRL__MOST_CONDITIONS], k, mark, n = 0, tried;
    uint32_t size, largest = UINT32_MAX;
    memset(dropped, 0, sizeof dropped);
    for (tried = 0; tried < c->count; largest = size) {
        for (k = 0, size = 0; k < c->count; k++)
            if (c->list[k]->size > size && c->list[k]->size < largest) size = c->list[k]->size;
        if (size == 0) break;
        for (k = c->count - 1; k >= 0; k--) {
            if (c->list[k]->size != size) continue;
            tried++;
            mark = irl__facts_mark(c->an);
            irl__conditions_assume(c, dropped, k);
            dropped[k] = irl__prove(c->an, c->list[k]);
            irl__facts_release(c->an, mark);
        }
    }
    for (k = 0; k < c->count; k++)
        if (!dropped[k]) c->list[n++] = c->list[k];
    c->count = n;
}

/* map(inverse(y)) == y per axis: what does not follow from the conditions in c, simplified under
   them. NULL where it follows. */
static int irl__equations_left(irl_ctx *cx, irl__conditions *c, const int *dropped,
                               const irl_map *map, const irl__inverse *inverse,
                               const irl_expr *const *round, const irl_expr **left)
{
    int k, mark = irl__facts_mark(c->an), count = 0;
    irl__conditions_assume(c, dropped, -1);
    for (k = 0; k < map->output_count; k++) {
        const irl_expr *e = round[k] ? irl__simplify(c->an, irl_expr_op2(cx, IRL_OP_EQ, round[k],
                                                                         inverse->map->inputs[k]))
                                     : NULL;
        left[k] = e && e->op == IRL_OP_INT && e->u.i ? NULL : e;
        count += left[k] != NULL;
    }
    irl__facts_release(c->an, mark);
    return count;
}

static unsigned irl__equations_size(int count, const irl_expr *const *left)
{
    unsigned n = 0;
    for (int k = 0; k < count; k++) n += left[k] ? left[k]->size : 0;
    return n;
}

/* Digits of the solution whose ranges are conditions too: they can make the equations follow, and
   are shorter. Only those that are needed for it are taken. */
static void irl__conditions_digits(irl_ctx *cx, irl__conditions *c, const irl_map *map,
                                   const irl__inverse *inverse, const irl_expr *const *round,
                                   const irl_expr **left)
{
    const irl_expr *best[IRL_MAX_RANK];
    int             dropped[IRL__MOST_CONDITIONS], k, base = c->count, n;
    unsigned        with = 0, without = irl__equations_size(map->output_count, left);
    memset(dropped, 0, sizeof dropped);
    for (k = 0; k < inverse->solution.count && c->count < base + 24; k++) {
        irl__interval r =
            irl__interval_of(inverse->solution.an, inverse->solution.equations[k].what);
        /* lo <= e <= hi, both as far as they are known. */
        const irl_expr *e = inverse->solution.equations[k].value;
        if (r.lo != INT64_MIN)
            irl__condition_add(c, irl_expr_op2(cx, IRL_OP_GE, e, irl_expr_index(cx, r.lo)));
        if (r.hi != INT64_MAX)
            irl__condition_add(c, irl_expr_op2(cx, IRL_OP_LE, e, irl_expr_index(cx, r.hi)));
    }
    if (c->count == base) return;
    irl__equations_left(cx, c, dropped, map, inverse, round, best);
    for (k = c->count - 1; k >= base; k--) { /* the last ones came by the longest ways */
        const irl_expr *now[IRL_MAX_RANK];
        dropped[k] = 1;
        irl__equations_left(cx, c, dropped, map, inverse, round, now);
        if (irl__equations_size(map->output_count, now) <=
            irl__equations_size(map->output_count, best))
            memcpy(best, now, sizeof best);
        else dropped[k] = 0;
    }
    for (k = base; k < c->count; k++) with += dropped[k] ? 0 : c->list[k]->size;
    with += irl__equations_size(map->output_count, best);
    if (with >= without) {
        c->count = base;
        return;
    }
    memcpy(left, best, sizeof best);
    for (k = n = base; k < c->count; k++)
        if (!dropped[k]) c->list[n++] = c->list[k];
    c->count = n;
}

/* The conditions under which a cell is reached: its point lies in the shape, and goes there. */
static void irl__conditions_of_image(irl_ctx *cx, irl__conditions *c, const irl_map *map,
                                     const irl_expr *const *minimum, const irl_expr *const *extent,
                                     const irl__inverse *inverse)
{
    const irl_expr *const *axes = inverse->map->inputs;
    const irl_expr *round[IRL_MAX_RANK], *left[IRL_MAX_RANK];
    int             k, dropped[IRL__MOST_CONDITIONS];
    memset(dropped, 0, sizeof dropped);
    memset(left, 0, sizeof left);
    for (k = 0; k < map->output_count; k++)
        irl__condition_add(c, irl_expr_op2(cx, IRL_OP_GE, axes[k], minimum[k]));
    for (k = 0; k < map->input_count; k++) {
        irl__condition_add(c, irl_expr_op2(cx, IRL_OP_GE, inverse->map->outputs[k],
                                           irl_expr_index(cx, 0)));
        irl__condition_add(c, irl_expr_op2(cx, IRL_OP_LT, inverse->map->outputs[k], extent[k]));
    }
    for (k = 0; k < map->output_count; k++)
        round[k] = irl__substitute(cx, map->outputs[k], map->input_count, map->inputs,
                                   inverse->map->outputs);
    if (irl__equations_left(cx, c, dropped, map, inverse, round, left))
        irl__conditions_digits(cx, c, map, inverse, round, left);
    for (k = 0; k < map->output_count; k++)
        if (left[k]) irl__condition_add(c, left[k]);
}

/* Where one of them does not hold. Many stay as they are: what follows from what takes as many
   looks as there are pairs. */
static const irl_expr *irl__conditions_denied(irl_ctx *cx, irl__conditions *c)
{
    const irl_expr *e = NULL;
    int             k, few = c->count <= IRL__FEW_CONDITIONS && !c->many;
    if (few) irl__conditions_thin(c);
    if (!irl__ok(cx) || c->overflow) return NULL;
    for (k = 0; k < c->count; k++) {
        const irl_expr *n = irl_expr_op1(cx, IRL_OP_NOT, c->list[k]);
        if (n && !irl__condition_is_long(n, 1)) n = irl__simplify(c->an, n);
        e = e ? irl_expr_op2(cx, IRL_OP_OR, e, n) : n;
    }
    if (e && few) e = irl__simplify(c->an, e);
    return e ? e : irl__ok(cx) ? irl__bool(cx, 0) : NULL;
}

const irl_expr *irl__inverse_padding_of(irl_ctx *cx, irl__analyzer *cells, int count,
                                        const irl_expr *const *conditions)
{
    irl__conditions c;
    memset(&c, 0, sizeof c);
    c.an = cells;
    for (int k = 0; k < count; k++) irl__condition_add(&c, conditions[k]);
    return irl__conditions_denied(cx, &c);
}

const irl_expr *irl__inverse_padding_within(irl_ctx *cx, irl__analyzer *cells, const irl_map *map,
                                            const irl_expr *const *minimum,
                                            const irl_expr *const *extent,
                                            const irl__inverse *inverse)
{
    irl__conditions c;
    memset(&c, 0, sizeof c);
    c.an = cells;
    irl__conditions_of_image(cx, &c, map, minimum, extent, inverse);
    return irl__conditions_denied(cx, &c);
}

/* ------------------------------------------------------------------ of memory */

/* What lies outside the box along one axis; false if `inside` is true there already: for axis = box
   + any distance. */
static const irl_expr *irl__memory_outside(irl_ctx *cx, irl__analyzer *an, const irl_expr *axis,
                                           const irl_expr *box, const irl_expr *inside)
{
    const irl_expr *part = irl__simplify(an, irl_expr_op2(cx, IRL_OP_GE, axis, box)), *beyond,
                   *distance;
    if (!part || !inside || part->op == IRL_OP_INT) return part;
    if (part->op == IRL_OP_LE && part->a[1] == axis) box = part->a[0];
    distance = irl_expr_var(cx, "distance", irl__type_index());
    beyond = irl__add(cx, box, distance);
    if (!irl__bind_range(an, distance, 0, INT64_MAX)) return NULL;
    inside = irl__substitute(cx, inside, 1, &axis, &beyond);
    return inside && irl__prove(an, inside) ? irl__bool(cx, 0) : part;
}

int irl__memory_unused(irl_ctx *cx, int rank, const irl_expr *const *axes,
                       const irl_expr *const *box, const irl_expr *const *memory,
                       const irl_map *inverse, const irl_expr *inside, const irl_expr **spare)
{
    irl__arena_mark mark = irl__scratch_begin(cx);
    irl__analyzer  *an = irl__analyzer_begin(cx);
    const irl_expr *part;
    int             k, ok = irl__bind_axes(an, rank, axes, memory);
    *spare = NULL;
    if (inside) inside = irl__substitute(cx, inside, rank, inverse->inputs, axes);
    for (k = 0; ok && k < rank; k++) {
        part = box[k] == memory[k] ? irl__bool(cx, 0)
                                   : irl__memory_outside(cx, an, axes[k], box[k], inside);
        if (part && !irl__is_int(part, 0))
            *spare = *spare ? irl_expr_op2(cx, IRL_OP_OR, *spare, part) : part;
        ok = part != NULL;
    }
    if (ok && inside) *spare = *spare ? irl_expr_op2(cx, IRL_OP_OR, *spare, inside) : inside;
    irl__scratch_end(cx, mark);
    return ok && irl__ok(cx);
}
