/* pair.c - do iterations of two accesses meet in one cell?

   needs     decide.c; the table of accesses
   promises  NO is proved for all values of the parameters; YES is two iterations at which
             everything was evaluated: both are reached, and both touch the cell
   cost      that of one system, bounded by the steps that are given to each question

   Two accesses of one buffer meet if their indices are equal on every axis; through different views
   of one memory, if their bytes overlap. A buffer that is allocated inside loops is a different
   buffer in each of their iterations. Parameters are different memory, as in emitted kernels
   (restrict), and so are allocations. */
#include "access.h"
#include "../sets/system.h"

enum { IRL__PAIR_NODES = 1 << 12 };

/* An access in terms of the buffer whose shape counts, of one lane. */
typedef struct irl__pair_cell {
    const irl_buffer *buffer;
    int               rank;
    const irl_expr   *indices[IRL_MAX_RANK];
    const irl_expr   *lane; /* a variable in [0, lanes); NULL: there is one */
    const irl_expr   *lanes;
} irl__pair_cell;

struct irl__pair {
    irl__accesses      *t;
    const irl__access  *a, *b;
    int                 loop_count;
    const irl__around **loops; /* around both, outermost first */
    irl__pair_cell      cell;  /* a's; no buffer: not known */
    int                 never; /* not one memory */
    const char         *doubt; /* they meet as far as the system knows: why that is no proof */
    int64_t             steps; /* for each question */
    int64_t             used;  /* of them, by the last */
    irl__system         system;
};

/* ------------------------------------------------------------------ which memory */

const irl__around *irl__around_owner(const irl__around *n, const irl__around *memory)
{
    do n = irl__around_next(n, IRL__AROUND_LOOP);
    while (n && irl__stmt_shares(n->stmt, memory->buffer) && (n = n->outer) != NULL);
    return n;
}

irl_answer irl__access_alias(const irl__accesses *t, const irl__access *a, const irl__access *b)
{
    if (a->memory == b->memory) return IRL_YES;
    if (irl__func_param_of(t->f, a->memory) < 0 && !a->allocation) return IRL_UNKNOWN;
    if (irl__func_param_of(t->f, b->memory) < 0 && !b->allocation) return IRL_UNKNOWN;
    return IRL_NO;
}

/* ------------------------------------------------------------------ which cell */

const irl_expr *irl__index_lane(irl_ctx *cx, const irl_expr *e, const irl_expr *lane)
{
    const irl_expr *a[3];
    if (e->type.lanes == 1) return e;
    if (e->op == IRL_OP_BROADCAST) return e->a[0];
    if (e->op == IRL_OP_RAMP) return irl__add(cx, e->a[0], irl__mul(cx, e->a[1], lane));
    if (e->op == IRL_OP_LOAD || e->count == 0 || e->count > 3 || e->op == IRL_OP_CAST ||
        (irl__op_info((irl_op)e->op)->rule == IRL__OWN && e->op != IRL_OP_SELECT))
        return NULL;
    for (uint32_t k = 0; k < e->count; k++)
        if (!(a[k] = irl__index_lane(cx, e->a[k], lane))) return NULL;
    return irl__expr_op(cx, (irl_op)e->op, (int)e->count, a, irl__nowhere());
}

int irl__unmatch(irl_ctx *cx, const irl__around *n, const irl__around *until, const irl_buffer **b,
                 int *rank, const irl_expr **indices)
{
    for (n = irl__around_binder(n); n != until && n && (!until || n->depth > until->depth);
         n = irl__around_binder(n->outer)) {
        const irl__match *m = n->match;
        const irl_expr   *through[IRL_MAX_RANK];
        if (n->kind != IRL__AROUND_MEMORY || !m || m->buffer != *b) continue;
        int dropped = m->source.buffer->rank - *rank;
        if (dropped < 0 || m->buffer->strides || m->buffer->offset ||
            !irl_type_equal(m->buffer->type, m->source.buffer->type))
            return 0;
        for (int k = 0; k < m->source.buffer->rank; k++) {
            through[k] = m->source.min[k];
            if (k >= dropped) through[k] = irl__add(cx, through[k], indices[k - dropped]);
            if (!through[k]) return 0;
        }
        *b = m->source.buffer;
        *rank = m->source.buffer->rank;
        memcpy((void *)indices, (const void *)through, (size_t)*rank * sizeof *through);
    }
    return 1;
}

/* Is it so small that sums and products of it are made without fear? */
static int irl__pair_is_small(const irl_expr *e)
{
    return !e || (e->depth < IRL_MAX_DEPTH / 4 && e->size < IRL__PAIR_NODES);
}

static int irl__pair_cell_of(irl_ctx *cx, const irl__access *a, irl__pair_cell *c)
{
    memset(c, 0, sizeof *c);
    /* The first elements of the memory that a call gets: any of them. */
    if (a->kind == IRL__ACCESS_OPAQUE) {
        irl_type element = a->memory->type;
        if (!a->count || !irl__pair_is_small(a->count)) return 0;
        element.is_pointer = 0;
        c->rank = 1;
        c->lanes = a->count;
        c->indices[0] = c->lane = irl_expr_var(cx, "element", irl__type_index());
        c->buffer =
            irl__buffer_make(cx, a->memory->u.name, element, (irl_scope)a->memory->type.scope, 1,
                             &c->lanes, a->memory, irl__nowhere());
        return c->lane && c->buffer;
    }
    if (!a->buffer) return 0;
    int k, ok = irl__pair_is_small(a->buffer->offset);
    for (k = 0; k < a->rank; k++) ok &= irl__pair_is_small(a->indices[k]);
    for (k = 0; k < a->buffer->rank; k++)
        ok &= irl__pair_is_small(a->buffer->shape[k]) &&
              irl__pair_is_small(a->buffer->strides ? a->buffer->strides[k] : NULL);
    if (!ok) return 0;
    c->buffer = a->buffer;
    c->rank = a->rank;
    if (a->rank)
        memcpy((void *)c->indices, (const void *)a->indices, (size_t)a->rank * sizeof *a->indices);
    if (a->lanes > 1) {
        c->lane = irl_expr_var(cx, "lane", irl__type_index());
        c->lanes = irl_expr_index(cx, (int64_t)a->lanes);
        c->indices[a->rank - 1] =
            c->lane ? irl__index_lane(cx, a->indices[a->rank - 1], c->lane) : NULL;
        if (!c->indices[a->rank - 1]) return 0;
    }
    return a->is_texel || irl__unmatch(cx, a->around, NULL, &c->buffer, &c->rank, c->indices);
}

/* ------------------------------------------------------------------ where they meet */

int irl__is_over(const irl__accesses *t, const irl_expr *e, int count, const irl_expr *const *vars)
{
    if (!e) return 1;
    if (e->flags & IRL__HAS_MEMORY) return 0;
    for (int k = 0; k < count && e->op == IRL_OP_VAR; k++)
        if (vars[k] == e) return 1;
    if (e->op == IRL_OP_VAR) return irl__func_param_of(t->f, e) >= 0;
    for (uint32_t k = 0; k < e->count; k++)
        if (!irl__is_over(t, e->a[k], count, vars)) return 0;
    return 1;
}

int irl__is_fixed(const irl__accesses *t, const irl_expr *e)
{
    return irl__is_over(t, e, 0, NULL);
}

/* Do different indices mean different cells, and equal ones the same in every iteration? What is
   allocated is one buffer as long as it lives. */
static int irl__pair_by_axis(const irl__pair *p, const irl_buffer *b)
{
    const int owned = p->a->allocation && p->a->allocation->buffer == b;
    for (int k = 0; k < b->rank && !owned; k++)
        if (!irl__is_fixed(p->t, b->shape[k]) ||
            (b->strides && !irl__is_fixed(p->t, b->strides[k])))
            return 0;
    return irl__buffer_cells_apart(b) && (owned || irl__is_fixed(p->t, b->offset));
}

/* Where a cell is, in steps (irl__buffer_step) from the start of the memory. */
static const irl_expr *irl__pair_place(irl_ctx *cx, const irl__pair_cell *c)
{
    const irl_buffer *b = c->buffer;
    const irl_expr *sum = b->offset ? b->offset : irl_expr_index(cx, 0),
                   *stride = irl_expr_index(cx, irl__buffer_step(b));
    for (int k = c->rank; k-- > 0 && sum && stride;) {
        sum = irl__add(cx, sum, irl__mul(cx, c->indices[k], b->strides ? b->strides[k] : stride));
        if (!b->strides) stride = irl__mul(cx, stride, b->shape[k]);
    }
    return sum ? irl__simplify_alone(cx, sum) : NULL;
}

/* The first bit or byte (`unit` is 1 or 8 bits) of a cell, and how many it has. Elements of bits
   have none of bytes. */
static const irl_expr *irl__pair_start(irl_ctx *cx, const irl__pair_cell *c, int unit,
                                       int64_t *width)
{
    const irl_expr *place = irl__pair_place(cx, c);
    const int64_t   size = (int64_t)irl__type_bytes(c->buffer->type) * 8 / unit;
    *width = c->buffer->bits ? c->buffer->bits : size;
    if (c->buffer->bits) return place;
    return place ? irl__mul(cx, place, irl_expr_index(cx, size)) : NULL;
}

const irl_expr *irl__access_byte(irl_ctx *cx, const irl__access *a)
{
    irl__pair_cell c;
    int64_t        width;
    if (a->is_texel || !irl__pair_cell_of(cx, a, &c) || c.lane || c.buffer->bits) return NULL;
    return irl__pair_start(cx, &c, 8, &width);
}

/* Which bits of a byte an element has depends on the order of bits: of two orders, whole bytes are
   compared. */
static const irl_expr *irl__pair_byte(irl_ctx *cx, const irl_expr *bit)
{
    return bit ? irl__floordiv(cx, bit, irl_expr_index(cx, 8)) : NULL;
}

/* first <= place + (width - 1) of the other, both ways. */
static int irl__pair_overlap(irl__pair *p, const irl__pair_cell *a, const irl__pair_cell *b)
{
    irl_ctx  *cx = p->t->cx;
    const int has_bits = a->buffer->bits || b->buffer->bits;
    const int       two_orders = a->buffer->bits && b->buffer->bits &&
                                 a->buffer->bit_order != b->buffer->bit_order;
    int64_t         wide_a, wide_b;
    const irl_expr *x = irl__pair_start(cx, a, has_bits ? 1 : 8, &wide_a), *last_x;
    const irl_expr *y = irl__pair_start(cx, b, has_bits ? 1 : 8, &wide_b), *last_y;
    if (!x || !y) return 0;
    if (!has_bits && wide_a == wide_b) {
        irl__system_compare(&p->system, 0, irl__pair_place(cx, a), IRL_OP_EQ, 1,
                            irl__pair_place(cx, b));
        return irl__ok(cx);
    }
    last_x = irl__add(cx, x, irl_expr_index(cx, wide_a - 1));
    last_y = irl__add(cx, y, irl_expr_index(cx, wide_b - 1));
    if (two_orders) {
        p->doubt = "the two have different orders of bits";
        x = irl__pair_byte(cx, x);
        y = irl__pair_byte(cx, y);
        last_x = irl__pair_byte(cx, last_x);
        last_y = irl__pair_byte(cx, last_y);
    }
    if (!x || !y || !last_x || !last_y) return 0;
    irl__system_compare(&p->system, 0, x, IRL_OP_LE, 1, last_y);
    irl__system_compare(&p->system, 1, y, IRL_OP_LE, 0, last_x);
    return 1;
}

static int irl__pair_cells(irl__pair *p)
{
    irl_ctx       *cx = p->t->cx;
    irl__pair_cell a, b;
    const int      is_call = p->a->kind == IRL__ACCESS_OPAQUE || p->b->kind == IRL__ACCESS_OPAQUE;
    if (!irl__pair_cell_of(cx, p->a, &a) || !irl__pair_cell_of(cx, p->b, &b) ||
        p->a->is_texel != p->b->is_texel) {
        p->doubt = is_call ? "a call may touch any part of the memory"
                           : "it is not known which element it is";
        return irl__ok(cx);
    }
    if (is_call) p->doubt = "a call may touch the element";
    p->cell = a;
    if (a.lane) irl__system_require_below(&p->system, 0, a.lane, a.lanes);
    if (b.lane) irl__system_require_below(&p->system, 1, b.lane, b.lanes);
    if (!irl__ok(cx)) return 0;
    if (p->a->is_texel || (a.buffer == b.buffer && irl__pair_by_axis(p, a.buffer))) {
        for (int k = 0; k < a.rank; k++)
            irl__system_compare(&p->system, 0, a.indices[k], IRL_OP_EQ, 1, b.indices[k]);
        return 1;
    }
    return irl__pair_overlap(p, &a, &b);
}

/* Memory of an iteration's own: both are in the same one, if they stand in it together. */
static void irl__pair_own_memory(irl__pair *p)
{
    const irl__around *memory = p->a->allocation;
    const irl__around *n = memory ? irl__around_owner(memory->outer, memory) : NULL;
    for (; n; n = irl__around_owner(n->outer, memory))
        if (n->loop_count <= p->loop_count)
            irl__system_compare(&p->system, 0, n->var, IRL_OP_EQ, 1, n->var);
}

/* ------------------------------------------------------------------ the pair */

irl__pair *irl__pair_begin(irl__accesses *t, const irl__access *a, const irl__access *b,
                           int64_t steps)
{
    irl__pair *p = (irl__pair *)irl__scratch_room(t->cx, 1, sizeof *p);
    irl_answer alias = irl__access_alias(t, a, b);
    if (!p) return NULL;
    memset(p, 0, offsetof(irl__pair, system));
    p->t = t;
    p->a = a;
    p->b = b;
    p->steps = steps;
    irl__enter_begin(&p->system, t, steps);
    const int           most = irl__access_loop_count(p->a), other = irl__access_loop_count(p->b);
    const irl__around **j = IRL__SCRATCH(p->t->cx, const irl__around *, other + 1);
    p->loops = IRL__SCRATCH(p->t->cx, const irl__around *, most + 1);
    if (!j || !p->loops) return NULL;
    irl__access_loops(p->a, p->loops);
    irl__access_loops(p->b, j);
    while (p->loop_count < most && p->loop_count < other &&
           p->loops[p->loop_count] == j[p->loop_count])
        p->loop_count++;
    if (alias == IRL_NO) {
        p->never = 1;
        return p;
    }
    irl__enter(&p->system, t, 0, a->around, NULL);
    irl__enter(&p->system, t, 1, b->around, NULL);
    if (alias == IRL_UNKNOWN) p->doubt = "it is not known whether the two are one memory";
    else if (!irl__pair_cells(p)) return NULL;
    else irl__pair_own_memory(p);
    return p->system.failed ? NULL : p;
}

int irl__pair_loop_count(const irl__pair *p) { return p->loop_count; }

const irl__around *irl__pair_loop(const irl__pair *p, int k) { return p->loops[k]; }

int64_t irl__pair_used(const irl__pair *p) { return p->used; }

static irl_op irl__pair_op(int relation)
{
    switch (relation) {
    case IRL__BEFORE: return IRL_OP_LT;
    case IRL__SAME: return IRL_OP_EQ;
    case IRL__AFTER: return IRL_OP_GT;
    case IRL__BEFORE | IRL__SAME: return IRL_OP_LE;
    case IRL__SAME | IRL__AFTER: return IRL_OP_GE;
    default: return IRL_OP_NE;
    }
}

static void irl__pair_relate(irl__pair *p, const uint8_t *relation)
{
    for (int k = 0; relation && k < p->loop_count; k++)
        if (relation[k] != IRL__ANY)
            irl__system_compare(&p->system, 0, p->loops[k]->var, irl__pair_op(relation[k]), 1,
                                p->loops[k]->var);
}

static irl_answer irl__pair_decide(irl__pair *p)
{
    p->system.steps = p->steps;
    irl_answer answer = irl__system_decide(&p->system);
    p->used = 1 + p->steps - p->system.steps;
    return answer == IRL_YES && p->doubt ? IRL_UNKNOWN : answer;
}

/* The values of the cell's indices, without lets and axes, in the iteration that was found. */
static void irl__pair_say_cell(const irl__pair *p, irl__meeting *m)
{
    const irl_expr *vars[IRL__LINEAR_COLUMNS];
    int64_t         values[IRL__LINEAR_COLUMNS];
    int             k, count = 0;
    m->cell_of = NULL;
    for (k = 0; k < m->count; k++)
        if (m->values[k].copy <= 0) {
            vars[count] = m->values[k].var;
            values[count++] = m->values[k].value;
        }
    for (k = 0; p->cell.buffer && k < p->cell.rank; k++) {
        const irl_expr *e = irl__accesses_plain(p->t, p->cell.indices[k]);
        if (!e || irl__value_at(e, count, vars, values, &m->cell[k]) != IRL__FOLD_OK) return;
    }
    m->cell_of = p->cell.buffer;
    m->cell_rank = p->cell.rank;
}

irl_answer irl__pair_meets(irl__pair *p, const uint8_t *relation, irl__meeting *m)
{
    return irl__pair_meets_where(p, relation, 0, NULL, NULL, NULL, m);
}

irl_answer irl__pair_meets_where(irl__pair *p, const uint8_t *relation, int count,
                                 const irl_expr *const *e, const irl_expr *const *f,
                                 const uint8_t *order, irl__meeting *m)
{
    irl__system_saved saved;
    irl_answer        answer = IRL_UNKNOWN;
    int               k, none = p->never;
    p->used = 1;
    for (k = 0; k < p->loop_count; k++) none |= relation && relation[k] == 0;
    if (none) answer = IRL_NO;
    else {
        if (irl__system_save(&p->system, &saved)) {
            irl__pair_relate(p, relation);
            for (k = 0; k < count; k++)
                if (order[k] != IRL__ANY)
                    irl__system_compare(&p->system, 0, e[k], irl__pair_op(order[k]), 1, f[k]);
            answer = irl__pair_decide(p);
        }
        irl__system_restore(&p->system, &saved);
    }
    if (m) {
        m->answer = answer;
        m->a = p->a;
        m->b = p->b;
        m->reason = answer == IRL_UNKNOWN ? p->doubt ? p->doubt : p->system.why : NULL;
        m->count = answer == IRL_YES ? p->system.found_count : 0;
        memcpy(m->values, p->system.found, (size_t)m->count * sizeof *m->values);
        if (answer == IRL_YES) irl__pair_say_cell(p, m);
    }
    return answer;
}

irl_answer irl__pair_meets_at(irl__pair *p, int k, uint8_t order, irl__meeting *m)
{
    uint8_t relation[IRL_MAX_DEPTH];
    if (p->loop_count > IRL_MAX_DEPTH) {
        if (m) memset(m, 0, sizeof *m), m->answer = IRL_UNKNOWN, m->reason = "too many loops";
        return IRL_UNKNOWN;
    }
    for (int j = 0; j < p->loop_count; j++) relation[j] = j < k ? IRL__SAME : IRL__ANY;
    if (k < p->loop_count)
        relation[k] =
            irl__stmt_is_parallel(p->loops[k]->stmt) ? IRL__BEFORE | IRL__AFTER : order;
    return irl__pair_meets(p, relation, m);
}

irl_answer irl__pair_meets_in_order(irl__pair *p, int first, uint8_t order, int is_in_one,
                                    irl__meeting *m)
{
    irl_answer answer = IRL_NO;
    for (int k = first; k < p->loop_count + is_in_one && answer == IRL_NO; k++)
        answer = irl__pair_meets_at(p, k, order, m);
    return answer;
}

int irl__pair_is_apart(irl__pair *p, const uint8_t *relation, int k, int64_t d)
{
    const irl_expr   *var = p->loops[k]->var, *other;
    irl__system_saved saved;
    irl_answer        answer = IRL_UNKNOWN;
    if (p->never) return 1;
    if (irl__system_save(&p->system, &saved)) {
        irl__pair_relate(p, relation);
        other = irl__add(p->t->cx, var, irl_expr_index(p->t->cx, d));
        if (other) irl__system_compare(&p->system, 0, other, IRL_OP_NE, 1, var);
        if (other) answer = irl__pair_decide(p);
    }
    irl__system_restore(&p->system, &saved);
    return answer == IRL_NO;
}

/* ------------------------------------------------------------------ two buffers */

/* An access of any element. */
static int irl__pair_anywhere(irl__accesses *t, const irl_buffer *b, irl__access *a,
                              const irl_expr **indices)
{
    const irl_expr         *behind = (const irl_expr *)irl__ptr_map_get(&t->behind, b->data);
    const irl__memory_rows *rows;
    memset(a, 0, sizeof *a);
    a->buffer = b;
    a->memory = behind ? behind : b->data;
    a->rank = b->rank;
    a->lanes = 1;
    a->indices = indices;
    a->around = (const irl__around *)irl__ptr_map_get(&t->declared, b);
    rows = (const irl__memory_rows *)irl__ptr_map_get(&t->of_memory, a->memory);
    a->allocation = rows ? rows->allocation : NULL;
    a->previous = -1;
    for (int k = 0; k < b->rank; k++)
        if (!(indices[k] = irl_expr_var(t->cx, "axis", irl__type_index()))) return 0;
    return 1;
}

irl_answer irl__buffers_alias(irl__accesses *t, const irl_buffer *x, const irl_buffer *y)
{
    irl__arena_mark mark = irl__scratch_begin(t->cx);
    irl__access     a, b;
    const irl_expr *at[2][IRL_MAX_RANK];
    irl_answer      answer = IRL_UNKNOWN;
    irl__pair      *p = NULL;
    if (irl__pair_anywhere(t, x, &a, at[0]) && irl__pair_anywhere(t, y, &b, at[1]))
        p = irl__pair_begin(t, &a, &b, IRL__PAIR_STEPS);
    if (p && p->never) answer = IRL_NO;
    else if (p) {
        for (int k = 0; k < a.rank; k++)
            irl__system_require_below(&p->system, 0, at[0][k], x->shape[k]);
        for (int k = 0; k < b.rank; k++)
            irl__system_require_below(&p->system, 1, at[1][k], y->shape[k]);
        if (irl__ok(t->cx)) answer = irl__pair_decide(p);
    }
    irl__scratch_end(t->cx, mark);
    return answer;
}
