/* inverse.c - the way back: a map's inverse and the predicate of its padding.

   needs     the solver
   promises  an inverse that is handed out was checked: inverse(map(i)) simplifies to i for every
             input, or was compared at every point. Since a map with a left inverse is injective,
             that is also how most verdicts are reached. The padding predicate is true for exactly
             the cells of the physical box that no point reaches: a cell y is reached if and only if
             x = inverse(y) lies in the shape and map(x) = y. What of that is not already certain
             for every cell of the box is the predicate's negation. */
#include "map.h"

/* ------------------------------------------------------------------ the inverse */

/* axis0, axis1, ...: the inverse's inputs. */
int irl__inverse_axes(irl_ctx *cx, int count, const irl_expr **axes)
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
int irl__inverse_proved(irl_ctx *cx, irl__analyzer *an, const irl_map *map,
                        const irl_expr *const *axes, const irl_expr *const *forward,
                        const irl_expr *const *back)
{
    int k;
    for (k = 0; k < map->input_count; k++) {
        const irl_expr *e = irl__substitute(cx, back[k], map->output_count, axes, forward);
        if (!e) return 0;
        e = irl__simplify(an, e);
        if (!e) return 0;
        if (e != irl__simplify(an, map->inputs[k]) && !irl__prove_equal(an, e, map->inputs[k]))
            return 0;
    }
    return 1;
}

/* inverse(map(i)) == i at every point: 1, or 0 if not or too many. */
static int irl__inverse_compared(irl_ctx *cx, const irl_map *map, const irl_shape *shape,
                                 irl__budget *budget, const irl_expr *const *axes,
                                 const irl_expr *const *back)
{
    const irl_expr *round[IRL_MAX_RANK];
    irl__arena_mark mark = irl__scratch_begin(cx);
    irl__program    p;
    irl__walk       w;
    int k, n = 0, i, ok = irl__walk_begin(&w, map->input_count, shape->extent, IRL__MOST_CELLS);
    for (k = 0; ok && k < map->input_count; k++)
        ok = (round[k] = irl__substitute(cx, back[k], map->output_count, axes, map->outputs)) !=
             NULL;
    ok = ok &&
         irl__program_make(cx, &p, NULL, map->input_count, map->inputs, map->input_count, round) &&
         irl__walk_within(&w, &p, map->input_count, shape->extent, budget);
    while (ok && (n = irl__walk_next(&w, &p)) > 0) {
        ok = irl__program_run(&p, n);
        for (k = 0; ok && k < map->input_count; k++)
            for (i = 0; i < n; i++)
                ok &= irl__program_output(&p, k)[i] == irl__program_input(&p, k)[i];
    }
    irl__scratch_end(cx, mark);
    return ok && n == 0; /* below 0: stopped */
}

/* ------------------------------------------------------------------ by bits */

/* The bits `mask` of e moved up by `shift` (down if negative). */
static const irl_expr *irl__inverse_moved(irl_ctx *cx, const irl_expr *e, int shift, uint64_t mask)
{
    if (shift < 0) e = irl_op2(cx, IRL_OP_SHR, e, irl_idx(cx, -shift));
    if (shift > 0) e = irl_op2(cx, IRL_OP_SHL, e, irl_idx(cx, shift));
    return irl_op2(cx, IRL_OP_BITAND, e, irl_idx(cx, (int64_t)mask));
}

/* One input from the system: the exclusive or of bits of the axes, those that move alike
   together. */
static const irl_expr *irl__inverse_input_of_bits(irl_ctx *cx, const irl__bit_space *s,
                                                  const irl__bit_system *m,
                                                  const irl__bit_rows *rows, int input,
                                                  int axis_count, const irl_expr *const *axes)
{
    const irl_expr *e = NULL;
    uint64_t        constant = 0;
    int             axis, shift, b, r;
    for (axis = 0; axis < axis_count; axis++)
        for (shift = -62; shift <= 62; shift++) {
            uint64_t mask = 0;
            for (b = 0; b < s->width[input]; b++)
                for (r = 0; r < m->used; r++)
                    if ((m->tag[s->first[input] + b] >> r) & 1 && m->output[r] == axis &&
                        b - m->position[r] == shift)
                        mask |= UINT64_C(1) << b;
            if (!mask) continue;
            e = e ? irl_op2(cx, IRL_OP_BITXOR, e, irl__inverse_moved(cx, axes[axis], shift, mask))
                  : irl__inverse_moved(cx, axes[axis], shift, mask);
        }
    for (b = 0; b < s->width[input]; b++) /* the constants of the rows that were used */
        for (r = 0; r < m->used; r++)
            if ((m->tag[s->first[input] + b] >> r) & 1)
                constant ^= ((rows[m->output[r]].constant >> m->position[r]) & 1) << b;
    if (!e) return irl_idx(cx, (int64_t)constant);
    return constant ? irl_op2(cx, IRL_OP_BITXOR, e, irl_idx(cx, (int64_t)constant)) : e;
}

/* 1 found, 0 failed, -1 not linear over bits or not invertible; then a collision may have been
   found: v->kind is LOSSY. */
static int irl__inverse_by_bits(irl_ctx *cx, irl__analyzer *an, const irl_map *map, irl_verdict *v,
                                const irl_expr *const *forward, const irl_expr *const *axes,
                                const irl_expr **back)
{
    irl__bit_space   s;
    irl__bit_system  m;
    irl__bit_rows   *rows;
    int              k;
    if (!irl__bit_space_make(&s, map->input_count, map->inputs, v->shape.extent)) return -1;
    rows = (irl__bit_rows *)irl__scratch_alloc(cx, (size_t)map->output_count + 1, sizeof *rows);
    if (!rows) return 0;
    for (k = 0; k < map->output_count; k++)
        if (!irl__bit_rows_of(&s, forward[k], &rows[k])) return -1;
    if (!irl__bits_invert(&s, map->output_count, rows, &m)) {
        if (!s.whole) return -1; /* the point may lie outside */
        v->a.rank = v->b.rank = map->input_count;
        irl__bits_point(&s, 0, v->a.extent);
        irl__bits_point(&s, irl__bits_kernel(&s, &m), v->b.extent);
        if (!irl_map_apply(cx, map, v->a, &v->at)) return 0;
        v->kind = IRL_LOSSY;
        return -1;
    }
    for (k = 0; k < map->input_count; k++) {
        back[k] = irl__inverse_input_of_bits(cx, &s, &m, rows, k, map->output_count, axes);
        back[k] = back[k] ? irl__simplify(an, back[k]) : NULL;
        if (!back[k]) return 0;
    }
    return 1;
}

/* inverse(map(i)) == i, bit by bit: the composition is linear over bits too. */
static int irl__inverse_proved_by_bits(irl_ctx *cx, const irl_map *map, const irl_verdict *v,
                                       const irl_expr *const *axes, const irl_expr *const *forward,
                                       const irl_expr *const *back)
{
    irl__bit_space s;
    irl__bit_rows  r;
    int            k, b;
    if (!irl__bit_space_make(&s, map->input_count, map->inputs, v->shape.extent)) return 0;
    for (k = 0; k < map->input_count; k++) {
        const irl_expr *e = irl__substitute(cx, back[k], map->output_count, axes, forward);
        if (!e || !irl__bit_rows_of(&s, e, &r) || r.constant) return 0;
        for (b = 0; b < 64; b++)
            if (r.row[b] != (b < s.width[k] ? UINT64_C(1) << (s.first[k] + b) : 0)) return 0;
    }
    return 1;
}

/* ------------------------------------------------------------------ finding it */

static int irl__inverse_checked(irl_ctx *cx, irl__analyzer *an, const irl_map *map,
                                const irl_verdict *v, irl__budget *budget,
                                const irl_expr *const *axes, const irl_expr *const *forward,
                                const irl_expr *const *back)
{
    return irl__inverse_proved(cx, an, map, axes, forward, back) ||
           (irl__ok(cx) && irl__inverse_proved_by_bits(cx, map, v, axes, forward, back)) ||
           (irl__ok(cx) && irl__inverse_compared(cx, map, &v->shape, budget, axes, back));
}

int irl__inverse_find(irl_ctx *cx, const irl_map *map, irl_verdict *v, irl__budget *budget,
                      irl__inverse *inverse)
{
    const irl_expr *forward[IRL_MAX_RANK], *axes[IRL_MAX_RANK], *back[IRL_MAX_RANK];
    irl__analyzer  *an = irl__map_analyzer(cx, map, &v->shape);
    int             k, found;
    memset(inverse, 0, sizeof *inverse);
    if (!an || !irl__solve_begin(&inverse->solution, an, map->input_count, map->inputs)) return 0;
    if (!irl__inverse_axes(cx, map->output_count, axes)) return 0;
    for (k = 0; k < map->output_count; k++) {
        forward[k] = irl__simplify(an, map->outputs[k]);
        if (!forward[k] ||
            !irl__bind_range(an, axes[k], v->minimum.extent[k], v->physical.extent[k] - 1))
            return 0;
    }
    for (k = 0; k < map->output_count; k++)
        if (!irl__solve_add(&inverse->solution, forward[k], axes[k])) return 0;
    found = irl__solve(&inverse->solution, back);
    if (found < 0) return 0;
    found = found == map->input_count;
    v->method = "digits";
    if (!found || !irl__inverse_checked(cx, an, map, v, budget, axes, forward, back)) {
        if (!irl__ok(cx)) return 0;
        v->method = "bits";
        inverse->solution.count = 0;
        found = irl__inverse_by_bits(cx, an, map, v, forward, axes, back);
        if (found <= 0) return found;
        if (!irl__inverse_checked(cx, an, map, v, budget, axes, forward, back))
            return irl__ok(cx) ? -1 : 0;
    }
    inverse->map =
        irl__map_make(cx, map->output_count, axes, map->input_count, back, 0, NULL, map->loc);
    return inverse->map != NULL;
}

/* ------------------------------------------------------------------ the padding */

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
    uint32_t k;
    if (top && e->size <= IRL__LONG_CONDITION) return 0;
    if (e->op == IRL_OP_SELECT || e->op == IRL_OP_IF_THEN_ELSE) return 1;
    for (k = 0; k < e->count; k++)
        if (irl__condition_is_long(e->a[k], 0)) return 1;
    return 0;
}

static void irl__condition_add(irl__conditions *c, const irl_expr *e)
{
    int k;
    if (!e) return;
    if (!irl__condition_is_long(e, 1)) e = irl__simplify(c->an, e);
    else c->many = 1;
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
static void irl__condition_range(irl_ctx *cx, irl__conditions *c, const irl_expr *e, int64_t lo,
                                 int64_t hi)
{
    if (lo != INT64_MIN) irl__condition_add(c, irl_op2(cx, IRL_OP_GE, e, irl_idx(cx, lo)));
    if (hi != INT64_MAX) irl__condition_add(c, irl_op2(cx, IRL_OP_LE, e, irl_idx(cx, hi)));
}

/* Assumes all conditions but number `but` (-1: none left out). */
static void irl__conditions_assume(irl__conditions *c, const int *dropped, int but)
{
    int i;
    for (i = 0; i < c->count; i++)
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
        const irl_expr *e =
            round[k]
                ? irl__simplify(c->an, irl_op2(cx, IRL_OP_EQ, round[k], inverse->map->inputs[k]))
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
    int      k;
    for (k = 0; k < count; k++) n += left[k] ? left[k]->size : 0;
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
        irl__condition_range(cx, c, inverse->solution.equations[k].value, r.lo, r.hi);
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
    const irl_expr        *round[IRL_MAX_RANK], *left[IRL_MAX_RANK];
    int                    k, dropped[IRL__MOST_CONDITIONS];
    memset(dropped, 0, sizeof dropped);
    memset(left, 0, sizeof left);
    for (k = 0; k < map->output_count; k++)
        irl__condition_add(c, irl_op2(cx, IRL_OP_GE, axes[k], minimum[k]));
    for (k = 0; k < map->input_count; k++) {
        irl__condition_add(c, irl_op2(cx, IRL_OP_GE, inverse->map->outputs[k], irl_idx(cx, 0)));
        irl__condition_add(c, irl_op2(cx, IRL_OP_LT, inverse->map->outputs[k], extent[k]));
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
        const irl_expr *n = irl_op1(cx, IRL_OP_NOT, c->list[k]);
        if (n && !irl__condition_is_long(n, 1)) n = irl__simplify(c->an, n);
        e = e ? irl_op2(cx, IRL_OP_OR, e, n) : n;
    }
    if (e && few) e = irl__simplify(c->an, e);
    return e ? e : irl__ok(cx) ? irl__bool(cx, 0) : NULL;
}

const irl_expr *irl__inverse_padding_of(irl_ctx *cx, irl__analyzer *cells, int count,
                                        const irl_expr *const *conditions)
{
    irl__conditions c;
    int             k;
    memset(&c, 0, sizeof c);
    c.an = cells;
    for (k = 0; k < count; k++) irl__condition_add(&c, conditions[k]);
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

const irl_expr *irl__inverse_padding(irl_ctx *cx, const irl_map *map, const irl_verdict *v,
                                     const irl__inverse *inverse)
{
    const irl_expr *minimum[IRL_MAX_RANK], *extent[IRL_MAX_RANK];
    irl__analyzer  *an;
    int             k;
    if (v->pad_cells == 0) return irl__bool(cx, 0);
    an = irl__analyzer_begin(cx);
    if (!an) return NULL;
    for (k = 0; k < map->output_count; k++) {
        minimum[k] = irl_idx(cx, v->minimum.extent[k]);
        if (!irl__bind_range(an, inverse->map->inputs[k], 0, v->physical.extent[k] - 1))
            return NULL;
    }
    for (k = 0; k < map->input_count; k++) extent[k] = irl_idx(cx, v->shape.extent[k]);
    return irl__inverse_padding_within(cx, an, map, minimum, extent, inverse);
}
