/* inverse.c - the way back: from the cells of a box, whose extents are numbers or have names in
   them, to the points of a map.

   needs     the change of variables, the solver, padding.c
   promises  an inverse that is handed out is right by its steps, or was checked: inverse(map(i))
             simplifies to i for every input, or was compared at every point. Since a map with a
             left inverse is injective, that is also how most verdicts are reached, and what is
             unused of the box is counted */
#include "change.h"

/* ------------------------------------------------------------------ the inverse */

/* axis0, axis1, ...: the inverse's inputs. */
int irl__inverse_axes(irl_ctx *cx, int count, const irl_expr **axes)
{
    for (int k = 0; k < count; k++) {
        char      buffer[16];
        irl__text name;
        irl__text_init_fixed(&name, buffer, sizeof buffer);
        irl__textf(&name, "axis%d", k);
        axes[k] = irl_expr_var(cx, buffer, irl__type_index());
        if (!axes[k]) return 0;
    }
    return 1;
}

/* inverse(map(i)) == i by simplification. */
int irl__inverse_proved(irl_ctx *cx, irl__analyzer *an, const irl_map *map,
                        const irl_expr *const *axes, const irl_expr *const *forward,
                        const irl_expr *const *back)
{
    for (int k = 0; k < map->input_count; k++) {
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
    if (shift < 0) e = irl_expr_op2(cx, IRL_OP_SHR, e, irl_expr_index(cx, -shift));
    if (shift > 0) e = irl_expr_op2(cx, IRL_OP_SHL, e, irl_expr_index(cx, shift));
    return irl_expr_op2(cx, IRL_OP_BITAND, e, irl_expr_index(cx, (int64_t)mask));
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
    int             b, r;
    for (int axis = 0; axis < axis_count; axis++)
        for (int shift = -62; shift <= 62; shift++) {
            uint64_t mask = 0;
            for (b = 0; b < s->width[input]; b++)
                for (r = 0; r < m->used; r++)
                    if ((m->tag[s->first[input] + b] >> r) & 1 && m->output[r] == axis &&
                        b - m->position[r] == shift)
                        mask |= UINT64_C(1) << b;
            if (!mask) continue;
            e = e ? irl_expr_op2(cx, IRL_OP_BITXOR, e,
                                 irl__inverse_moved(cx, axes[axis], shift, mask))
                  : irl__inverse_moved(cx, axes[axis], shift, mask);
        }
    for (b = 0; b < s->width[input]; b++) /* the constants of the rows that were used */
        for (r = 0; r < m->used; r++)
            if ((m->tag[s->first[input] + b] >> r) & 1)
                constant ^= ((rows[m->output[r]].constant >> m->position[r]) & 1) << b;
    if (!e) return irl_expr_index(cx, (int64_t)constant);
    return constant ? irl_expr_op2(cx, IRL_OP_BITXOR, e, irl_expr_index(cx, (int64_t)constant)) : e;
}

/* 1 found, 0 failed, -1 not linear over bits or not invertible; then a collision may have been
   found: v->kind is LOSSY. */
static int irl__inverse_by_bits(irl_ctx *cx, irl__analyzer *an, const irl_map *map, irl_verdict *v,
                                const irl_expr *const *forward, const irl_expr *const *axes,
                                const irl_expr **back)
{
    irl__bit_space  s;
    irl__bit_system m;
    irl__bit_rows  *rows;
    if (!irl__bit_space_make(&s, map->input_count, map->inputs, v->shape.extent)) return -1;
    rows = (irl__bit_rows *)irl__scratch_alloc(cx, (size_t)map->output_count + 1, sizeof *rows);
    if (!rows) return 0;
    for (int k = 0; k < map->output_count; k++)
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
    for (int k = 0; k < map->input_count; k++) {
        back[k] = irl__inverse_input_of_bits(cx, &s, &m, rows, k, map->output_count, axes);
        back[k] = back[k] ? irl__simplify(an, back[k]) : NULL;
        if (!back[k]) return 0;
    }
    return 1;
}

/* ------------------------------------------------------------------ how many

   A box may have more cells than 64 bits count, and still be full: the products of up to
   IRL_MAX_RANK extents are kept whole. */

enum { IRL__WIDE_WORDS = 2 * IRL_MAX_RANK + 2 }; /* of 32 bits, the lowest first */

/* False where an extent is no number. */
static int irl__wide_volume(int rank, const irl_expr *const *extents, uint32_t *word)
{
    int used = 1;
    memset(word, 0, IRL__WIDE_WORDS * sizeof *word);
    word[0] = 1;
    for (int k = 0; k < rank; k++) {
        if (extents[k]->op != IRL_OP_INT || extents[k]->u.i < 0) return 0;
        const uint64_t low = (uint64_t)extents[k]->u.i & UINT32_MAX,
                       high = (uint64_t)extents[k]->u.i >> 32;
        uint64_t carry = 0, before = 0; /* before: the word below, as it was */
        int      j;
        for (j = 0; j < used || carry || (before && high); j++) {
            uint64_t here = word[j], sum = here * low + (carry & UINT32_MAX);
            carry = (carry >> 32) + (sum >> 32);
            sum = (sum & UINT32_MAX) + before * high;
            carry += sum >> 32;
            word[j] = (uint32_t)sum;
            before = here;
        }
        used = j;
    }
    return 1;
}

/* a - b for a >= b, the product of `rank` extents; -1 where it does not fit 63 bits. */
static int64_t irl__wide_difference(int rank, const uint32_t *a, const uint32_t *b)
{
    uint64_t borrow = 0, low = 0, rest = 0;
    for (int k = 0; k < 2 * rank + 2; k++) {
        uint64_t x = (uint64_t)a[k] - b[k] - borrow;
        borrow = x >> 63;
        if (k < 2) low |= (x & UINT32_MAX) << 32 * k;
        else rest |= x & UINT32_MAX;
    }
    return rest || low >> 63 ? -1 : (int64_t)low;
}

static const irl_expr *irl__volume(irl_ctx *cx, int rank, const irl_expr *const *extents)
{
    const irl_expr *e = irl_expr_index(cx, 1);
    for (int k = 0; k < rank; k++) e = irl__mul(cx, e, extents[k]);
    return e;
}

const irl_expr *irl__cells_unused(irl__analyzer *an, const irl_map *map,
                                  const irl_expr *const *extents, const irl_expr *const *box)
{
    irl_ctx *cx = map->cx;
    uint32_t points[IRL__WIDE_WORDS], cells[IRL__WIDE_WORDS];
    int64_t  spare = -1;
    if (irl__wide_volume(map->input_count, extents, points) &&
        irl__wide_volume(map->output_count, box, cells))
        spare = irl__wide_difference(map->output_count, cells, points);
    if (spare >= 0) return irl_expr_index(cx, spare);
    if (!an) return NULL;
    return irl__canonical(an, irl__sub(cx, irl__volume(cx, map->output_count, box),
                                       irl__volume(cx, map->input_count, extents)));
}

/* ------------------------------------------------------------------ the way back */

/* Injective is known: what is unused is counted. */
static int irl__way_count(irl__way *w)
{
    if (!w->asked) return 1;
    w->spare = irl__cells_unused(w->numbers ? NULL : w->an, w->map, w->extents, w->box);
    if (w->spare && !w->numbers && irl__prove_equal(w->an, w->spare, irl_expr_index(w->cx, 0)))
        w->spare = irl_expr_index(w->cx, 0);
    return irl__ok(w->cx);
}

static int irl__way_is_full(const irl__way *w) { return w->spare && irl__is_int(w->spare, 0); }

/* What is known of the cells: of a box of numbers nothing else. */
static irl__analyzer *irl__way_cells(const irl__way *w)
{
    irl__analyzer *an = w->cells ? w->cells : irl__analyzer_begin(w->cx);
    for (int k = 0; an && !w->cells && k < w->map->output_count; k++)
        if (!irl__bind_range(an, w->axes[k], 0, w->box[k]->u.i - 1)) return NULL;
    return an;
}

static const irl_map *irl__way_map(const irl__way *w, const irl_expr *const *back)
{
    return irl__map_make(w->cx, w->map->output_count, w->axes, w->map->input_count, back, 0, NULL,
                         w->map->loc);
}

/* The inverse after irl__change_solve. Injective the map is, whether there is a formula or not. */
static int irl__way_of_change(irl__way *w, irl__change *c)
{
    const irl_expr *back[IRL_MAX_RANK];
    irl__analyzer  *cells = irl__way_cells(w);
    int             ok = cells ? irl__change_inverse(c, cells, back) : 0;
    if (ok > 0)
        w->padding = irl__way_is_full(w)
                         ? irl__bool(w->cx, 0)
                         : irl__inverse_padding_of(w->cx, cells, c->check_count, c->checks);
    if (w->padding) w->inverse = irl__way_map(w, back);
    return ok != 0;
}

/* Over other variables the map, whose outputs are `outputs` too, is plain: change.h. */
static int irl__way_by_change(irl__way *w, const irl_expr *const *outputs, int64_t looks)
{
    irl__arena_mark mark = irl__scratch_begin(w->cx);
    irl__change     c;
    int ok = irl__change_begin(&c, w->an, w->map, outputs, w->map->output_count, w->extents, 1);
    c.looks = looks;
    if (ok) ok = irl__change_run(&c) ? irl__change_solve(&c, w->axes, w->box) : -1;
    if (ok > 0) {
        w->method = "mixed-radix decomposition";
        ok = irl__way_count(w);
    }
    if (ok > 0 && w->asked) ok = irl__way_of_change(w, &c);
    irl__scratch_end(w->cx, mark);
    return irl__ok(w->cx) ? ok : 0;
}

static int irl__way_checked(const irl__way *w, const irl_expr *const *back)
{
    if (irl__inverse_proved(w->cx, w->an, w->map, w->axes, w->plain, back)) return 1;
    return w->numbers && irl__ok(w->cx) &&
           irl__inverse_compared(w->cx, w->map, &w->numbers->shape, w->budget, w->axes, back);
}

/* With what lets name in its place. */
static const irl_expr *irl__way_unnamed(irl_ctx *cx, const irl_expr *e)
{
    return e->flags & IRL__HAS_LET ? irl__change_factored(cx, e) : e;
}

/* 1: `back` is the way back; 0 failed; -1 none was found. */
static int irl__way_solve(irl__way *w, irl__solution *s, const irl_expr **back)
{
    if (!irl__solve_begin(s, w->an, w->map->input_count, w->map->inputs)) return 0;
    for (int k = 0; k < w->map->output_count; k++) {
        if (w->numbers) {
            int64_t least = w->numbers->minimum.extent[k];
            w->plain[k] = irl__way_unnamed(w->cx, w->map->outputs[k]);
            if (w->plain[k]) w->plain[k] = irl__simplify(w->an, w->plain[k]);
            w->minimum[k] = irl_expr_index(w->cx, least);
            if (!irl__bind_range(w->an, w->axes[k], least, w->box[k]->u.i - 1)) return 0;
        }
        if (!irl__solve_add(s, w->plain[k], w->axes[k])) return 0;
    }
    int found = irl__solve(s, back);
    if (found < 0) return 0;
    w->method = "mixed-radix decomposition";
    if (found == w->map->input_count && irl__way_checked(w, back)) return 1;
    if (!w->numbers || !irl__ok(w->cx)) return irl__ok(w->cx) ? -1 : 0;
    w->method = "bits";
    s->count = 0;
    /* what it finds is right by its steps */
    return irl__inverse_by_bits(w->cx, w->an, w->map, w->numbers, w->plain, w->axes, back);
}

/* By the solver, or by bits, which may find a collision too. */
static int irl__way_by_solving(irl__way *w)
{
    const irl_expr *back[IRL_MAX_RANK];
    irl__arena_mark mark = irl__scratch_begin(w->cx);
    irl__inverse    inverse;
    memset(&inverse, 0, sizeof inverse);
    int ok = irl__way_solve(w, &inverse.solution, back);
    if (ok > 0) ok = irl__way_count(w);
    if (ok > 0 && w->asked) {
        inverse.map = irl__way_map(w, back);
        irl__analyzer *cells = inverse.map ? irl__way_cells(w) : NULL;
        if (irl__way_is_full(w)) w->padding = irl__bool(w->cx, 0);
        else if (cells)
            w->padding = irl__inverse_padding_within(w->cx, cells, w->map, w->minimum, w->extents,
                                                     &inverse);
        w->inverse = w->padding ? inverse.map : NULL;
    }
    irl__scratch_end(w->cx, mark);
    if (!irl__ok(w->cx)) return 0;
    return ok < 0 && w->numbers && w->numbers->kind == IRL_LOSSY ? 1 : ok;
}

/* As it is simplified, as it is written, by equations, and with a look at parts of few values. */
int irl__way_find(irl__way *w)
{
    const irl_expr *written[IRL_MAX_RANK];
    int             k, ok = irl__way_by_change(w, w->forward, 0);
    for (k = 0; ok < 0 && k < w->map->output_count; k++) {
        const irl_expr *e = irl__way_unnamed(w->cx, w->map->outputs[k]);
        if (!e || !(written[k] = irl__change_unmasked(w->cx, e))) return 0;
    }
    if (ok < 0) ok = irl__way_by_change(w, written, 0);
    if (ok < 0) ok = irl__way_by_solving(w);
    if (ok < 0) ok = irl__way_by_change(w, w->forward, IRL__CHANGE_LOOKS);
    return ok;
}

/* ------------------------------------------------------------------ of memory */

int irl__verdict_unused(irl_ctx *cx, const irl_verdict *v, const irl_expr **spare)
{
    const irl_map  *inverse = v->inverse;
    const irl_expr *const *box = irl__shape_extents(cx, &v->physical);
    const irl_expr *const *memory = irl__shape_extents(cx, &v->memory);
    if (!box || !memory ||
        !irl__memory_unused(cx, inverse->input_count, inverse->inputs, box, memory, inverse,
                            v->pad_cells ? v->padding : NULL, spare))
        return 0;
    if (!*spare) return 1;
    irl__arena_mark mark = irl__scratch_begin(cx);
    irl__analyzer  *an = irl__analyzer_of_names(cx, v->parameter_count, v->parameters, v->where);
    *spare = irl__bind_axes(an, inverse->input_count, inverse->inputs, memory)
                 ? irl__simplify(an, *spare)
                 : NULL;
    irl__scratch_end(cx, mark);
    return *spare != NULL;
}

const irl_expr *irl__verdict_unused_count(irl_ctx *cx, const irl_map *map, const irl_verdict *v)
{
    const irl_expr *const *memory = irl__shape_extents(cx, &v->memory);
    const irl_expr *const *shape = irl__shape_extents(cx, &v->shape);
    irl__arena_mark mark = irl__scratch_begin(cx);
    irl__analyzer  *an =
        v->pad_cells_named
            ? irl__analyzer_of_names(cx, v->parameter_count, v->parameters, v->where)
            : NULL;
    const irl_expr        *count =
        memory && shape ? irl__cells_unused(an, map, shape, memory) : NULL;
    irl__scratch_end(cx, mark);
    return count;
}
