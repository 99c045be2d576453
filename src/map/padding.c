/* padding.c - the cells that no point reaches, as a predicate over the cells of the box.

   needs     an inverse, or conditions that a point's cell keeps
   promises  the predicate is true for exactly the cells of the physical box that no point reaches:
             a cell y is reached if and only if x = inverse(y) is in the shape and map(x) = y. The
             predicate is the negation of those conditions that are not known to be true for every
             cell of the box */
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
            for (int i = 0; i < c->count; i++)
                if (i != k && !dropped[i]) (void)irl__fact(c->an, c->list[i]);
            dropped[k] = irl__prove(c->an, c->list[k]);
            irl__facts_release(c->an, mark);
        }
    }
    for (k = 0; k < c->count; k++)
        if (!dropped[k]) c->list[n++] = c->list[k];
    c->count = n;
}

const irl_expr *irl__inverse_padding_of(irl_ctx *cx, irl__analyzer *cells, int count,
                                        const irl_expr *const *conditions)
{
    irl__conditions c;
    memset(&c, 0, sizeof c);
    c.an = cells;
    for (int k = 0; k < count; k++) irl__condition_add(&c, conditions[k]);
    /* Where one of them does not hold. Many stay as they are: what follows from what takes as many
       looks as there are pairs. */
    const irl_expr *e = NULL;
    int             k, few = c.count <= IRL__FEW_CONDITIONS && !c.many;
    if (few) irl__conditions_thin(&c);
    if (!irl__ok(cx) || c.overflow) return NULL;
    for (k = 0; k < c.count; k++) {
        const irl_expr *n = irl_expr_op1(cx, IRL_OP_NOT, c.list[k]);
        if (n && !irl__condition_is_long(n, 1)) n = irl__simplify(c.an, n);
        e = e ? irl_expr_op2(cx, IRL_OP_OR, e, n) : n;
    }
    if (e && few) e = irl__simplify(c.an, e);
    return e ? e : irl__ok(cx) ? irl__bool(cx, 0) : NULL;
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
