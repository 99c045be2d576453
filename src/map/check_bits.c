/* check_bits.c - irl_map_check_bits: the verdict on the bits of a layout's memory.

   needs     check.c, the inverse and the padding that a verdict has; span.c
   promises  exact or undecided: the elements have no bit in common if the map is right, or two are
             shown that do; each bit that no element has is counted, and the first of them is found
             or not named
   cost      examines the cells up to the first unused bit; all of them if elements are wider than
             the stride. Without a formula of the inverse it examines all points, with a bit for
             each cell

   Number n of memory has the bits offset + n * stride and following, in the order of bits. Where
   the stride is at least the width, cells have no bit in common, and the unused ones are counted by
   subtraction. Else the used cells are visited in order, because neighbours are nearest. */
#include "map.h"

typedef struct irl__bits_ask {
    irl_ctx         *cx;
    const irl_map   *map; /* of the shape's rank */
    irl_shape        shape;
    irl_bit_element  e;
    irl_bit_verdict *v;
    int64_t          points, cells; /* of the shape, of the memory */
    int64_t         *values;        /* of the verdict */
} irl__bits_ask;

/* ------------------------------------------------------------------ the used cells, in order */

/* By the predicate of padding where there is an inverse, else by a bit for each cell. */
typedef struct irl__bits_cells {
    irl__bits_ask *q;
    int            all;  /* every cell is used */
    int            n, i; /* cells of the strip, and the next of them */
    int64_t        base; /* number of the strip's first cell */
    uint64_t      *seen; /* NULL: by the predicate */
    irl__program   padding;
    irl__walk      walk; /* over the cells: not to be copied */
    uint8_t        used[IRL__STRIP];
} irl__bits_cells;

/* Marks the cells of all points, in scratch memory. `cell` at least 0: stops at the first point
   that has it, into *at, and returns 2. Else 1; 0 failed, -1 they are too many. */
static int irl__bits_points(irl__bits_ask *q, uint64_t *seen, int64_t cell, irl_shape *at)
{
    irl__program p;
    irl__walk    w;
    irl__budget  budget = irl__budget_of(NULL);
    irl__cells   cells;
    int64_t      number[IRL__STRIP];
    int          n;
    if (!irl__program_of_map(q->cx, &p, NULL, q->map) ||
        !irl__cells_of(&cells, NULL, &q->v->map.memory))
        return 0;
    if (!irl__walk_within(&w, &p, q->shape.rank, q->shape.extent, &budget)) return -1;
    while ((n = irl__walk_next(&w, &p)) > 0) {
        if (!irl__work(q->cx, n * ((int64_t)p.step_count + 4))) return 0;
        if (!irl__program_run(&p, n)) return irl__program_fail(&p, q->map->loc);
        irl__cells_number(&cells, &p, n, number);
        for (int i = 0; i < n; i++) {
            if (seen) seen[number[i] >> 6] |= UINT64_C(1) << (number[i] & 63);
            if (number[i] == cell) return irl__strip_point(&p, i, at), 2;
        }
    }
    return 1;
}

/* In scratch memory of the caller: 1; 0 failed, -1 that takes too long. */
static int irl__bits_cells_begin(irl__bits_cells *c, irl__bits_ask *q)
{
    const irl_verdict *v = &q->v->map;
    memset(c, 0, sizeof *c);
    c->q = q;
    c->all = q->points == q->cells;
    if (c->all) return 1;
    if (v->inverse && v->padding) {
        c->walk.total = q->cells;
        return irl__walk_begin(&c->walk, v->memory.rank, v->memory.extent, INT64_MAX) &&
               irl__program_make(q->cx, &c->padding, NULL, v->inverse->input_count,
                                 v->inverse->inputs, 1, &v->padding);
    }
    if (q->cells > IRL__MOST_CELLS) return -1;
    c->seen = IRL__SCRATCH(q->cx, uint64_t, (size_t)q->cells / 64 + 2);
    return c->seen ? irl__bits_points(q, c->seen, -1, NULL) : 0;
}

/* Whether cells of the strip are used, by the predicate, which holds within the box alone. */
static int irl__bits_strip(irl__bits_cells *c)
{
    const irl_verdict *v = &c->q->v->map;
    const int          n = irl__walk_next(&c->walk, &c->padding);
    if (n <= 0) return n;
    /* which counts 17 steps of work for each of its own where it goes point by point */
    if (!irl__work_allows(c->q->cx, n * (17 * (int64_t)c->padding.step_count + 4))) return -1;
    irl__program_run_some(&c->padding, n, c->used);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < v->physical.rank; k++)
            if (irl__program_input(&c->padding, k)[i] >= v->physical.extent[k]) c->used[i] = 0;
        if (c->used[i]) c->used[i] = !irl__program_output(&c->padding, 0)[i];
    }
    return n;
}

/* The next used cell; -1: there is none, -2: it takes too long, or it failed. */
static int64_t irl__bits_next(irl__bits_cells *c)
{
    for (;;) {
        if (c->i == c->n) {
            c->base += c->n;
            c->i = 0;
            if (c->base == c->q->cells) return -1;
            if (c->all || c->seen)
                c->n = c->q->cells - c->base < IRL__STRIP ? (int)(c->q->cells - c->base)
                                                          : IRL__STRIP;
            else if ((c->n = irl__bits_strip(c)) <= 0) return c->n = 0, -2;
        }
        int64_t cell = c->base + c->i++;
        if (c->all || (c->seen ? (int)(c->seen[cell >> 6] >> (cell & 63) & 1)
                               : c->used[c->i - 1]))
            return cell;
    }
}

/* ------------------------------------------------------------------ what is found of them */

static int64_t irl__bits_at(const irl__bits_ask *q, int64_t cell)
{
    return q->e.offset + cell * q->e.stride;
}

static int64_t irl__bits_physical(const irl__bits_ask *q, int64_t p)
{
    irl__span s;
    memset(&s, 0, sizeof s);
    s.is_msb = q->e.order == IRL_BITS_MSB;
    return irl__span_bit(&s, p);
}

/* The point that lies in a cell that is used: 1, 0 failed. */
static int irl__bits_point_of(irl__bits_ask *q, int64_t cell, irl_shape *at)
{
    const irl_verdict *v = &q->v->map;
    irl_shape          place;
    memset(&place, 0, sizeof place);
    memset(at, 0, sizeof *at);
    place.rank = v->memory.rank;
    irl__point_of(place.rank, v->memory.extent, cell, place.extent);
    if (v->inverse) return irl_map_apply(q->cx, v->inverse, place, at);
    return irl__bits_points(q, NULL, cell, at) == 2;
}

/* Two elements that have a bit in common: 1 there are, and they are the verdict's; -1 there are
   none; 0 failed, -2 it takes too long. */
static int irl__bits_overlap(irl__bits_ask *q)
{
    irl__bits_cells c;
    int64_t         cell = -1, before = -1;
    int             ok = irl__bits_cells_begin(&c, q);
    if (ok <= 0) return ok < 0 ? -2 : 0;
    while ((cell = irl__bits_next(&c)) >= 0) {
        if (before >= 0 && (cell - before) * q->e.stride < q->e.bits) break;
        before = cell;
    }
    if (cell < 0) return cell == -1 ? -1 : irl__ok(q->cx) ? -2 : 0;
    q->v->kind = IRL_LOSSY;
    q->v->bit = irl__bits_physical(q, irl__bits_at(q, cell));
    return irl__bits_point_of(q, before, &q->v->a) && irl__bits_point_of(q, cell, &q->v->b);
}

/* The bits of an element within a byte, as a mask from its first bit in the order on. */
static unsigned irl__bits_within(const irl__bits_ask *q, int64_t at, int64_t byte)
{
    unsigned mask = 0;
    for (int k = 0; k < 8; k++)
        if (8 * byte + k >= at && 8 * byte + k < at + q->e.bits) mask |= 1u << k;
    return mask;
}

/* The first unused bit, of elements that lie apart, and of which some bits are; -1: not found. */
static int64_t irl__bits_first(irl__bits_ask *q)
{
    irl__bits_cells c;
    int64_t         cell, at, covered = 0, first, n;
    unsigned        mask = 0;
    int             gap = 0;
    if (irl__bits_cells_begin(&c, q) <= 0) return -1;
    if (c.all && q->e.stride == q->e.bits && q->e.offset == 0) { /* behind the last */
        covered = q->cells * q->e.bits;
        c.base = q->cells;
    }
    while ((cell = irl__bits_next(&c)) >= 0) {
        at = irl__bits_at(q, cell);
        if (at > covered) gap = 1;
        if (gap && at >= covered / 8 * 8 + 8) break;
        if (gap) mask |= irl__bits_within(q, at, covered / 8);
        else covered = at + q->e.bits;
    }
    if (cell == -2 && !gap) return -1;
    mask |= (1u << covered % 8) - 1;
    for (first = -1, n = 0; n < 8; n++) {
        const int64_t bit = irl__bits_physical(q, covered / 8 * 8 + n);
        if (!(mask >> n & 1) && (first < 0 || bit < first)) first = bit;
    }
    return first;
}

/* ------------------------------------------------------------------ numbers */

static int irl__bits_undecided(irl__bits_ask *q, const char *reason)
{
    q->v->kind = IRL_UNDECIDED;
    q->v->reason = reason;
    return irl__ok(q->cx);
}

/* Bits of the memory, in whole bytes; false where 63 bits do not count them. */
static int irl__bits_count(irl__bits_ask *q)
{
    const irl_shape *memory = &q->v->map.memory;
    int64_t          end = 0;
    irl__walk        points, cells;
    if (!irl__walk_begin(&points, q->shape.rank, q->shape.extent, INT64_MAX) ||
        !irl__walk_begin(&cells, memory->rank, memory->extent, INT64_MAX))
        return 0;
    q->points = points.total;
    q->cells = cells.total;
    if (q->cells && (!irl__mul64(q->cells - 1, q->e.stride, &end) ||
                     !irl__add64(end, q->e.offset, &end) || !irl__add64(end, q->e.bits + 7, &end)))
        return 0;
    q->v->bits = end / 8 * 8;
    return 1;
}

/* The points that the map sends to one cell have all its bits. */
static void irl__bits_lossy_map(irl__bits_ask *q)
{
    const irl_verdict *v = &q->v->map;
    irl__cells         cells;
    int64_t            cell = 0;
    q->v->a = v->a;
    q->v->b = v->b;
    if (!v->box_known || v->memory.named || v->shape.named || !irl__bits_count(q) ||
        !irl__cells_of(&cells, NULL, &v->memory)) {
        q->v->bits = -1;
        return;
    }
    for (int k = 0; k < v->memory.rank; k++) {
        if (v->minimum.extent[k] < 0) {
            q->v->bits = -1;
            return;
        }
        cell += v->at.extent[k] * cells.stride[k];
    }
    q->v->bit = irl__bits_physical(q, irl__bits_at(q, cell));
}

static int irl__bits_numbers(irl__bits_ask *q)
{
    int ok = -1;
    if (!irl__bits_count(q))
        return irl__bits_undecided(q, "the memory has 2^63 bits or more");
    if (q->e.stride < q->e.bits && q->points > 1) ok = irl__bits_overlap(q);
    if (ok == -2)
        return irl__bits_undecided(q, "it is not known whether two elements have a bit in common: "
                                      "there are too many cells to examine");
    if (ok >= 0) return ok;
    q->v->unused_bits = q->v->bits - q->points * q->e.bits;
    q->v->kind = q->v->unused_bits ? IRL_INJECTIVE : IRL_BIJECTIVE;
    if (q->v->unused_bits) q->v->first_unused = irl__bits_first(q);
    return irl__ok(q->cx);
}

/* ------------------------------------------------------------------ names */

/* Values of the names for which two elements have a bit in common. */
static int irl__bits_trial(void *user, const irl__trials *t)
{
    irl__bits_ask  *q = (irl__bits_ask *)user;
    const irl_expr *const *extents = irl__shape_extents(t->cx, &q->shape);
    const irl_map  *map;
    irl_bit_verdict v;
    irl_shape       shape;
    if (!extents || !irl__trial_shape(t, q->shape.rank, extents, &shape)) return 1;
    map = irl__trial_map(t, q->map);
    v = irl_map_check_bits(t->cx, map, shape, &q->e);
    if (v.kind != IRL_LOSSY) return 1;
    q->v->kind = IRL_LOSSY;
    q->v->a = v.a;
    q->v->b = v.b;
    q->v->bit = v.bit;
    memcpy(q->values, t->values, (size_t)t->parameter_count * sizeof *t->values);
    return 0;
}

/* Bits up to the last element: an empty memory has none. */
static const irl_expr *irl__bits_end(irl_ctx *cx, irl__analyzer *an, const irl_bit_element *e,
                                     const irl_expr *cells)
{
    const irl_expr *one = irl_expr_index(cx, 1), *end;
    if (e->offset == 0 && e->stride == e->bits)
        return irl__mul(cx, cells, irl_expr_index(cx, e->bits));
    end = irl__mul(cx, irl__sub(cx, cells, one), irl_expr_index(cx, e->stride));
    end = irl__add(cx, end, irl_expr_index(cx, e->offset + e->bits));
    if (irl__prove(an, irl_expr_op2(cx, IRL_OP_GE, cells, one))) return end;
    return irl_expr_op3(cx, IRL_OP_SELECT, irl_expr_op2(cx, IRL_OP_GE, cells, one), end,
                        irl_expr_index(cx, 0));
}

const irl_expr *irl__bits_bytes(irl_ctx *cx, irl__analyzer *an, const irl_bit_element *e, int rank,
                                const irl_expr *const *memory)
{
    const irl_expr *end = irl__bits_end(cx, an, e, irl__product(cx, rank, memory));
    return irl__simplify(an, irl__floordiv(cx, irl__add(cx, end, irl_expr_index(cx, 7)),
                                           irl_expr_index(cx, 8)));
}

static int irl__bits_formulas(irl__bits_ask *q, irl__analyzer *an)
{
    irl_ctx           *cx = q->cx;
    const irl_verdict *m = &q->v->map;
    const irl_expr *const *memory = irl__shape_extents(cx, &m->memory),
                   *const *shape = irl__shape_extents(cx, &q->shape), *bytes, *used;
    int k;
    for (k = 0; k < m->parameter_count; k++)
        if (!irl__bind_range(an, m->parameters[k], 1, INT64_MAX)) return 0;
    if (!memory || !shape) return 0;
    bytes = irl__bits_bytes(cx, an, &q->e, m->memory.rank, memory);
    q->v->bits_named = irl__simplify(an, irl__mul(cx, bytes, irl_expr_index(cx, 8)));
    used = irl__mul(cx, irl__product(cx, q->shape.rank, shape),
                    irl_expr_index(cx, q->e.bits));
    if (!q->v->bits_named) return 0;
    q->v->unused_named = irl__simplify(an, irl__sub(cx, q->v->bits_named, used));
    if (!q->v->unused_named) return 0;
    q->v->condition = irl__simplify(
        an, irl_expr_op2(cx, IRL_OP_EQ, q->v->unused_named, irl_expr_index(cx, 0)));
    q->v->kind = irl__is_int(q->v->unused_named, 0) ? IRL_BIJECTIVE : IRL_INJECTIVE;
    if (q->v->kind == IRL_INJECTIVE) q->v->unused_bits = -1;
    return q->v->condition && irl__ok(cx);
}

static int irl__bits_names(irl__bits_ask *q)
{
    if (q->e.stride < q->e.bits) {
        const int   count = q->v->map.parameter_count;
        irl__trials t;
        q->values = IRL__COPY(q->cx, int64_t, NULL, count + 1);
        if (!q->values) return 0;
        irl__trials_begin(&t, q->cx, count, q->v->map.parameters);
        irl__trials_run(&t, irl__bits_trial, q);
        if (q->v->kind == IRL_LOSSY) {
            q->v->values = q->values;
            return irl__ok(q->cx);
        }
        return irl__bits_undecided(q,
                                   "elements are wider than the distance between them, but for "
                                   "small values no two were found that share a bit");
    }
    irl__arena_mark mark = irl__scratch_begin(q->cx);
    irl__analyzer  *an = irl__analyzer_begin(q->cx);
    int             ok = an && irl__bits_formulas(q, an);
    irl__scratch_end(q->cx, mark);
    return ok;
}

/* ------------------------------------------------------------------ the question */

static int irl__bits_run(irl__bits_ask *q)
{
    irl_bit_verdict *v = q->v;
    v->map = irl_map_check(q->cx, q->map, q->shape);
    if (!irl__ok(q->cx)) return 0;
    v->kind = v->map.kind;
    v->reason = v->map.reason;
    if (v->kind == IRL_LOSSY) {
        v->values = v->map.values;
        irl__bits_lossy_map(q);
    }
    if (!irl__verdict_is_right(&v->map)) return 1;
    v->reason = "";
    if (v->map.memory.named || v->map.parameter_count) return irl__bits_names(q);
    irl__arena_mark mark = irl__scratch_begin(q->cx);
    int             ok = irl__bits_numbers(q);
    irl__scratch_end(q->cx, mark);
    return ok;
}

irl_bit_verdict irl_map_check_bits(irl_ctx *cx, const irl_map *map, irl_shape shape,
                                   const irl_bit_element *element)
{
    irl_bit_verdict v;
    irl__bits_ask   q;
    irl__question   question;
    int             ok = 0, is_spent;
    memset(&v, 0, sizeof v);
    memset(&q, 0, sizeof q);
    v.reason = v.map.reason = v.map.method = "";
    v.code = IRL_ERROR_UNDECIDED;
    v.bits = v.first_unused = v.bit = -1;
    if (!cx || !irl__ok(cx)) return v;
    q.cx = cx;
    q.v = &v;
    q.map = irl__map_for_shape(cx, map, &shape);
    q.shape = shape;
    if (!element)
        IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "there is no element of bits");
    else if (q.map && irl__bit_element_ok(cx, element, &q.e, q.map->loc)) {
        question = irl__question_begin(cx, 0);
        ok = irl__bits_run(&q);
        is_spent = irl__question_spent(&question);
        irl__question_end(&question, 1); /* which forgives, with the message */
        if (is_spent) {
            ok = irl__bits_undecided(&q, irl__reason_of_work(&question, ""));
            if (v.map.kind == IRL_UNDECIDED) v.map.reason = v.reason;
        }
    }
    if (!irl__ok(cx)) v.kind = IRL_UNDECIDED, v.reason = irl__failure_reason(cx);
    else if (!ok && v.kind != IRL_UNDECIDED) irl__bits_undecided(&q, "it was not decided");
    v.code = v.kind == IRL_UNDEFINED ? v.map.code : irl__verdict_code(v.kind);
    if (!irl__ok(cx)) v.code = cx->diag.code;
    return v;
}

/* ------------------------------------------------------------------ as text */

static void irl__bits_named_text(irl__text *t, irl_ctx *cx, const irl_bit_verdict *v)
{
    if (v->kind == IRL_BIJECTIVE)
        irl__textf(t, "each of %s bits belongs to an element", irl_expr_text(cx, v->bits_named));
    else {
        irl__textf(t, "of %s bits", irl_expr_text(cx, v->bits_named));
        irl__textf(t, " those unused are %s", irl_expr_text(cx, v->unused_named));
    }
    if (v->kind == IRL_INJECTIVE && v->condition && v->condition->op != IRL_OP_INT)
        irl__textf(t, ", none where %s", irl_expr_text(cx, v->condition));
}

/* " for N = 3: (0, 1) and (0, 2) have bit 4 of byte 0" */
static void irl__bits_lossy_text(irl__text *t, const irl_bit_verdict *v)
{
    for (int k = 0; k < v->map.parameter_count && v->values; k++)
        irl__textf(t, k ? ", %s = %l" : " for %s = %l", v->map.parameters[k]->u.name,
                   v->values[k]);
    irl__text_puts(t, ": ");
    irl__text_numbers(t, "()", v->a.rank, v->a.extent);
    irl__text_puts(t, " and ");
    irl__text_numbers(t, "()", v->b.rank, v->b.extent);
    if (v->bit >= 0) irl__span_shared_text(t, v->bit);
    else {
        irl__text_puts(t, " both map to ");
        irl__text_numbers(t, "[]", v->map.at.rank, v->map.at.extent);
    }
    if (v->map.kind == IRL_LOSSY && v->map.reason[0]) irl__textf(t, ", and %s", v->map.reason);
}

const char *irl_bit_verdict_text(irl_ctx *cx, const irl_bit_verdict *v)
{
    irl__text t;
    if (!cx || !v) return "";
    irl__text_init(&t, cx);
    if (v->kind > IRL_LOSSY) { /* the map's own words */
        const char *rest = irl_verdict_text(cx, &v->map);
        return irl__text_puts(&t, rest), irl__text_or_empty(irl__text_done(&t));
    }
    irl__text_puts(&t, irl_verdict_name(v->kind));
    if (v->kind == IRL_LOSSY) irl__bits_lossy_text(&t, v);
    else {
        irl__text_puts(&t, ": ");
        if (v->kind == IRL_UNDECIDED) irl__text_puts(&t, v->reason);
        else if (v->bits_named) irl__bits_named_text(&t, cx, v);
        else if (v->kind == IRL_BIJECTIVE)
            irl__textf(&t, "each of %l bits belongs to an element", v->bits);
        else irl__span_unused_text(&t, v->unused_bits, v->bits, v->first_unused);
    }
    return irl__text_or_empty(irl__text_done(&t));
}

/* ------------------------------------------------------------------ for machines */

static void irl__bits_json_number(irl__text *t, irl_ctx *cx, const char *key, int64_t n,
                                  const irl_expr *named)
{
    irl__textf(t, ", \"%s\": ", key);
    if (named) irl__json_string(t, irl_expr_text(cx, named));
    else if (n >= 0) irl__textf(t, "%l", n);
    else irl__text_puts(t, "null");
}

static void irl__bits_json_witness(irl__text *t, irl_ctx *cx, const irl_bit_verdict *v)
{
    irl__text_puts(t, ", \"witness\": ");
    if (v->kind != IRL_LOSSY) {
        irl__text_puts(t, "null");
        return;
    }
    irl__text_puts(t, "{\"a\": ");
    irl__text_numbers(t, "[]", v->a.rank, v->a.extent);
    irl__text_puts(t, ", \"b\": ");
    irl__text_numbers(t, "[]", v->b.rank, v->b.extent);
    irl__bits_json_number(t, cx, "bit", v->bit, NULL);
    irl__text_puts(t, ", \"values\": ");
    irl__text_puts(t, v->values && v->map.parameter_count ? "{" : "null");
    for (int k = 0; v->values && k < v->map.parameter_count; k++) {
        if (k) irl__text_puts(t, ", ");
        irl__json_string(t, v->map.parameters[k]->u.name);
        irl__textf(t, ": %l", v->values[k]);
    }
    irl__text_puts(t, v->values && v->map.parameter_count ? "}}" : "}");
}

const char *irl_bit_verdict_json(irl_ctx *cx, const irl_map *map, const irl_bit_element *element,
                                 const irl_bit_verdict *v)
{
    const int right = v && (v->kind == IRL_BIJECTIVE || v->kind == IRL_INJECTIVE);
    irl__text t;
    if (!cx || !map || !element || !v) return "";
    irl__text_init(&t, cx);
    irl__text_puts(&t, "{\"map\": ");
    irl__json_string(&t, irl_map_text(cx, map));
    irl__text_puts(&t, ", \"element\": ");
    irl__json_string(&t, irl_bit_element_text(cx, element));
    irl__text_puts(&t, ", \"verdict\": ");
    irl__json_string(&t, irl_verdict_name(v->kind));
    irl__bits_json_number(&t, cx, "bits", v->bits, v->bits_named);
    irl__bits_json_number(&t, cx, "unused_bits", right ? v->unused_bits : -1, v->unused_named);
    irl__bits_json_number(&t, cx, "first_unused", v->first_unused, NULL);
    irl__bits_json_witness(&t, cx, v);
    irl__text_puts(&t, ", \"reason\": ");
    irl__json_string(&t, v->reason && v->reason[0] ? v->reason : NULL);
    irl__json_shape(&t, cx, "memory", v->map.box_known ? &v->map.memory : NULL);
    irl__textf(&t, ", \"elements\": %s}", irl_verdict_json(cx, map, &v->map));
    return irl__text_or_empty(irl__text_done(&t));
}
