/* inverse.c - the inverse of a map: from the cells of a box, whose extents are numbers or contain
   names, to the points.

   needs     the change of variables, padding.c
   promises  an inverse that is returned is right by its steps. A map with a left inverse is
             injective: most verdicts are found so. The unused cells of the box are counted */
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
    rows = IRL__SCRATCH(cx, irl__bit_rows, map->output_count + 1);
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
    return irl__canonical(an, irl__sub(cx, irl__product(cx, map->output_count, box),
                                       irl__product(cx, map->input_count, extents)));
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

/* With what lets name in its place. */
static const irl_expr *irl__way_unnamed(irl_ctx *cx, const irl_expr *e)
{
    return e->flags & IRL__HAS_LET ? irl__change_factored(cx, e) : e;
}

/* The condition of a cell with a point: its point is in the shape, and is mapped to the cell. */
static int irl__way_kept(const irl__way *w, const irl_expr *const *back, const irl_expr **kept)
{
    irl_ctx *cx = w->cx;
    int      n = 0;
    for (int k = 0; k < w->map->input_count; k++) {
        kept[n++] = irl_expr_op2(cx, IRL_OP_GE, back[k], irl_expr_index(cx, 0));
        kept[n++] = irl_expr_op2(cx, IRL_OP_LT, back[k], w->extents[k]);
    }
    for (int k = 0; k < w->map->output_count; k++)
        kept[n++] = irl_expr_op2(cx, IRL_OP_EQ, w->axes[k],
                                 irl__substitute(cx, w->map->outputs[k], w->map->input_count,
                                                 w->map->inputs, back));
    return n;
}

/* By bits, of numbers: what is found is right by its steps. A collision may be found too. */
static int irl__way_by_bits(irl__way *w, const irl_expr *const *outputs)
{
    const irl_expr *back[IRL_MAX_RANK], *kept[3 * IRL_MAX_RANK];
    irl__arena_mark mark = irl__scratch_begin(w->cx);
    irl__analyzer  *cells = irl__way_cells(w);
    int             ok = cells != NULL;
    for (int k = 0; ok && k < w->map->output_count; k++)
        ok = irl__bind_range(w->an, w->axes[k], w->numbers->minimum.extent[k],
                             w->box[k]->u.i - 1);
    w->method = "bits";
    if (ok) ok = irl__inverse_by_bits(w->cx, w->an, w->map, w->numbers, outputs, w->axes, back);
    if (ok > 0) ok = irl__way_count(w);
    if (ok > 0 && w->asked) {
        const irl_map *inverse = irl__way_map(w, back);
        if (irl__way_is_full(w)) w->padding = irl__bool(w->cx, 0);
        else if (inverse)
            w->padding = irl__inverse_padding_of(w->cx, cells, irl__way_kept(w, back, kept), kept);
        w->inverse = w->padding ? inverse : NULL;
    }
    irl__scratch_end(w->cx, mark);
    if (!irl__ok(w->cx)) return 0;
    return ok < 0 && w->numbers->kind == IRL_LOSSY ? 1 : ok;
}

/* By these outputs, masks as digits. */
static int irl__way_unmasked(irl__way *w, const irl_expr *const *outputs, int64_t looks)
{
    const irl_expr *plain[IRL_MAX_RANK];
    for (int k = 0; k < w->map->output_count; k++)
        if (!(plain[k] = irl__change_unmasked(w->cx, outputs[k]))) return 0;
    return irl__way_by_change(w, plain, looks);
}

/* The quickest first: simplified with choices factored, as written, simplified. Bits may find a
   collision too; a look at parts of few values comes last. */
int irl__way_find(irl__way *w)
{
    const irl_expr *e[IRL_MAX_RANK];
    int             k, ok = irl__way_by_change(w, w->forward, 0);
    for (k = 0; ok < 0 && k < w->map->output_count; k++)
        if (!(e[k] = irl__way_unnamed(w->cx, w->map->outputs[k]))) return 0;
    if (ok < 0) ok = irl__way_unmasked(w, e, 0);
    for (k = 0; ok < 0 && k < w->map->output_count; k++)
        if (!(e[k] = irl__simplify(w->an, e[k]))) return 0;
    if (ok < 0) ok = irl__way_unmasked(w, e, 0);
    if (ok < 0 && w->numbers) ok = irl__way_by_bits(w, e);
    if (ok < 0) ok = irl__way_by_change(w, w->forward, IRL__CHANGE_LOOKS);
    if (ok < 0) ok = irl__way_unmasked(w, e, IRL__CHANGE_LOOKS);
    return ok;
}

/* ------------------------------------------------------------------ of indices */

/* The indices that an inverse is found from; the others say nothing. */
static int irl__indices_plain(const irl_expr *e)
{
    if (e->op == IRL_OP_LET || e->count > 3 || (e->flags & (IRL__HAS_MEMORY | IRL__HAS_LANES)) ||
        (!irl__type_is_index(e->type) && e->type.scalar != IRL_BOOL))
        return 0;
    for (uint32_t k = 0; k < e->count; k++)
        if (!irl__indices_plain(e->a[k])) return 0;
    return 1;
}

int irl__indices_solve(irl_ctx *cx, irl__analyzer *an, int count, const irl_expr *const *vars,
                       const irl_expr *const *min, const irl_expr *const *extents, int rank,
                       const irl_expr *const *indices, const irl_expr *const *y,
                       const irl_expr **out)
{
    irl_map         map;
    const irl_expr *from[IRL_MAX_RANK], *to[IRL_MAX_RANK], *box[IRL_MAX_RANK];
    irl__arena_mark mark = irl__scratch_begin(cx);
    const irl_expr **in = (const irl_expr **)irl__scratch_room(cx, (size_t)count * 2, sizeof *in);
    int              ok = in != NULL, n = 0;
    for (int k = 0; ok && k < count; k++) { /* variables from 0 on */
        in[k] = irl_expr_var(cx, "t", irl__type_index());
        ok = in[k] && irl__bind_extent(an, in[k], irl_expr_index(cx, 0), extents[k]) &&
             (in[count + k] = irl__simplify(an, irl__add(cx, in[k], min[k]))) != NULL;
    }
    for (int k = 0; ok && k < rank; k++) {
        if (!irl__indices_plain(indices[k])) continue;
        to[n] = y[k];
        from[n] = irl__substitute(cx, indices[k], count, vars, in + count);
        ok = from[n] != NULL;
        box[n++] = irl_expr_index(cx, INT64_MAX);
    }
    memset(&map, 0, sizeof map);
    map.cx = cx;
    map.input_count = count;
    map.inputs = in;
    map.output_count = n;
    for (int steps = 0, left = 1; ok && left && steps < 2; steps++) {
        irl__change c;
        ok = irl__change_begin(&c, an, &map, from, n, extents, 1);
        if (ok && (!steps || irl__change_run(&c))) ok = irl__change_solve(&c, to, box) != 0;
        if (ok) irl__change_partly(&c);
        for (int k = 0; ok && k < count; k++)
            if ((steps == 0 || !out[k]) && (out[k] = c.vars[k].value) != NULL)
                ok = (out[k] = irl__simplify(an, irl__add(cx, out[k], min[k]))) != NULL;
        for (int k = left = 0; k < count; k++) left += !out[k];
    }
    irl__scratch_end(cx, mark);
    return ok && irl__ok(cx);
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
