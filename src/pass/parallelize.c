/* parallelize.c - finds the outer loops whose iterations never touch one another's cells, and says
   so on the loop.

   requires  no blocks (lower_blocks); indices still by axis (before flatten), where a variable is
             easy to recover
   maintains everything but the kind of loops: serial becomes parallel
   breaks    nothing
   cost      linear in the accesses of a nest, times its loops; a verdict where plainer rules see
             nothing, and where that sees nothing either a question to the analysis (carries.c)
   source    this project; the argument is below

   A loop variable v of a nest is recovered from an access if v stands alone as an index, or v / c
   and v % c both stand. Or an index that is a sum of multiples determines v: i * 64 + j
   (recover.c). Or all indices together do: (15 - i) / 4, (15 - i) % 4. If every access to every
   buffer that the nest writes recovers v, from the same axes by the same expressions, then
   iterations with different v touch different cells, whatever the other variables are: v's loop is
   parallel. Different indices are different cells only where the buffer's strides keep its rows
   apart: y[i, j] with strides 1, 1 is the cell i + j. Where they do not, or are not numbers, the
   cell's number must give v: the sum of indices times strides. */
#include "pass.h"

enum {
    IRL__NEST_SUM = 128, /* nodes of an index that is worth taking apart */
    IRL__NEST_OPAQUE = 1 << IRL__BARRIER | 1 << IRL__BLOCK | IRL__HOLDS_BOUND
};

typedef struct irl__nest {
    irl_ctx            *cx;
    irl__accesses      *t;    /* of the function */
    irl__rows           rows; /* the nest's */
    irl__ptr_map        met;  /* memory that it writes, and does not allocate itself */
    irl__ptr_map        seen; /* loops and lets whose ranges are known */
    const irl_stmt    **loops;  /* the perfect nest, outermost first */
    irl__recover_range *ranges; /* of loops, and of lets inside */
    int                 is_opaque; /* a barrier, a bound loop, a call: left alone */
} irl__nest;

static int irl__nest_range(irl__nest *nest, const irl__around *n)
{
    const int          is_loop = n->kind == IRL__AROUND_LOOP;
    irl__recover_range range;
    range.var = n->var;
    range.min = is_loop ? n->stmt->u.loop.min : NULL;
    range.extent = is_loop ? n->stmt->u.loop.extent : NULL;
    return irl__ptr_map_put(nest->cx, &nest->seen, n, n) &&
           IRL__PUSH_SCRATCH(nest->cx, nest->ranges, range);
}

static int irl__nest_is_met(const irl__nest *nest, const irl__access *a)
{
    return irl__ptr_map_get(&nest->met, a->memory) != NULL;
}

/* ------------------------------------------------------------------ recovering a variable */

/* Axes (first, second) from which an access recovers v; second == first where v stands alone. */
static int irl__nest_recovers(const irl__nest *nest, const irl__access *a, const irl_expr *v,
                              int *first, int *second)
{
    for (int k = 0; k < a->buffer->rank; k++) {
        const irl_expr *e = a->indices[k];
        *first = *second = k;
        if (e == v) return 1;
        if (e->op != IRL_OP_FLOORDIV || e->a[0] != v || e->a[1]->op != IRL_OP_INT ||
            e->a[1]->u.i == 0)
            continue;
        for (int j = 0; j < a->buffer->rank; j++) {
            const irl_expr *m = a->indices[j];
            *second = j;
            if (m->op == IRL_OP_FLOORMOD && m->a[0] == v && m->a[1] == e->a[1]) return 1;
        }
    }
    for (int k = 0; k < a->buffer->rank; k++) {
        *first = *second = k;
        if (a->indices[k]->size <= IRL__NEST_SUM &&
            irl__recovers(nest->cx, a->indices[k], v, (int)stbds_arrlen(nest->ranges),
                          nest->ranges))
            return 1;
    }
    return 0;
}

/* The number of the cell that an access touches, counted from the buffer's offset; NULL on
   failure. */
static const irl_expr *irl__nest_cell(const irl__nest *nest, const irl__access *a)
{
    const irl_expr *cell = irl_expr_index(nest->cx, 0);
    for (int k = 0; k < a->buffer->rank && cell; k++)
        cell = irl__add(nest->cx, cell, irl__mul(nest->cx, a->indices[k], a->buffer->strides[k]));
    return cell;
}

/* Every access to the memory that `a` accesses uses a's expressions on those axes, of the same
   buffer. */
static int irl__nest_all_agree(const irl__nest *nest, const irl__access *a, int first, int second)
{
    for (int k = nest->rows.first; k < nest->rows.end; k++) {
        const irl__access *other = &nest->t->list[k];
        if (other->memory != a->memory) continue;
        if (other->kind == IRL__ACCESS_OPAQUE || other->buffer != a->buffer ||
            other->indices[first] != a->indices[first] ||
            other->indices[second] != a->indices[second])
            return 0;
    }
    return 1;
}

/* By the digits of its indices. */
static int irl__nest_is_told_apart(const irl__nest *nest, const irl_stmt *loop)
{
    int first, second;
    for (int k = nest->rows.first; k < nest->rows.end; k++) {
        const irl__access *a = &nest->t->list[k];
        if (!irl__nest_is_met(nest, a)) continue;
        if (a->kind == IRL__ACCESS_OPAQUE) return 0;
        if (irl__buffer_cells_apart(a->buffer) &&
            irl__nest_recovers(nest, a, loop->u.loop.var, &first, &second) &&
            irl__nest_all_agree(nest, a, first, second))
            continue;
        /* Axes of one or two may show nothing where all together do. */
        const int ranges = (int)stbds_arrlen(nest->ranges),
                  apart = irl__buffer_cells_apart(a->buffer);
        const irl_expr *cell = apart ? NULL : irl__nest_cell(nest, a);
        if (!apart && !cell) return 0;
        if (!(cell && irl__recovers(nest->cx, cell, loop->u.loop.var, ranges, nest->ranges)) &&
            !irl__recovers_together(nest->cx, apart ? a->buffer->rank : 1,
                                    apart ? a->indices : &cell, loop->u.loop.var, ranges,
                                    nest->ranges))
            return 0;
        for (int j = 0; j < a->buffer->rank; j++)
            if (!irl__nest_all_agree(nest, a, j, j)) return 0;
    }
    return 1;
}

/* May the index differ from iteration to iteration in a way that an analysis sees? */
static int irl__nest_moves(const irl__nest *nest, const irl_expr *e, const irl_expr *v)
{
    if (e->flags & IRL__HAS_MEMORY) return 0;
    if (irl__expr_uses_var(e, v)) return 1;
    for (int k = 0; k < (int)stbds_arrlen(nest->ranges); k++)
        if (!nest->ranges[k].extent && irl__expr_uses_var(e, nest->ranges[k].var)) return 1;
    return 0;
}

/* Is it worth to ask? Not where something is stored to one place by all iterations. */
static int irl__nest_may_be_parallel(const irl__nest *nest, const irl_stmt *loop)
{
    int j;
    for (int k = nest->rows.first; k < nest->rows.end; k++) {
        const irl__access *a = &nest->t->list[k];
        if (!irl__nest_is_met(nest, a) || a->kind == IRL__ACCESS_OPAQUE) continue;
        for (j = 0; j < a->buffer->rank; j++)
            if (irl__nest_moves(nest, a->indices[j], loop->u.loop.var)) break;
        if (j == a->buffer->rank) return 0;
    }
    return 1;
}

/* ------------------------------------------------------------------ the pass */

static int irl__nest_is_rectangular(const irl__nest *nest, const irl_stmt *loop)
{
    for (int k = 0; k < (int)stbds_arrlen(nest->loops); k++) {
        const irl_expr *var = nest->loops[k]->u.loop.var;
        if (irl__expr_uses_var(loop->u.loop.min, var) ||
            irl__expr_uses_var(loop->u.loop.extent, var))
            return 0;
    }
    return 1;
}

static int irl__nest_collect(irl__nest *nest, const irl_stmt *s)
{
    const irl__around *outermost = irl__loop_of(nest->t, s);
    nest->is_opaque = irl__stmt_calls(nest->t->f, s) || irl__stmt_holds(s, IRL__NEST_OPAQUE);
    for (; s->kind == IRL__FOR && (s->u.loop.kind == IRL_SERIAL || s->u.loop.kind == IRL_PARALLEL);
         s = s->u.loop.body) {
        if (!irl__nest_is_rectangular(nest, s) ||
            ((s->u.loop.extent->flags | s->u.loop.min->flags) & IRL__HAS_MEMORY))
            break;
        if (!IRL__PUSH_SCRATCH(nest->cx, nest->loops, s)) return 0;
    }
    nest->rows.first = outermost->first;
    nest->rows.end = nest->is_opaque ? outermost->first : outermost->end;
    for (int k = nest->rows.first; k < nest->rows.end; k++) {
        const irl__around *n = nest->t->list[k].around, *own = nest->t->list[k].allocation;
        for (; n != outermost->outer && !irl__ptr_map_get(&nest->seen, n); n = n->outer)
            if ((n->kind == IRL__AROUND_LOOP || n->kind == IRL__AROUND_LET) &&
                !irl__nest_range(nest, n))
                return 0;
        if (!(!irl__access_writes(&nest->t->list[k]) || (own && own->depth > outermost->depth) ||
              irl__ptr_map_put(nest->cx, &nest->met, nest->t->list[k].memory, &nest->t->list[k])))
            return 0;
    }
    return 1;
}

/* The nest again, from the inside out, with the loops that are parallel marked. */
static const irl_stmt *irl__nest_marked(const irl__nest *nest, const irl_stmt *outermost)
{
    int             k = (int)stbds_arrlen(nest->loops), changed = 0;
    const irl_stmt *body = k ? nest->loops[k - 1]->u.loop.body : outermost;
    while (k-- > 0) {
        const irl_stmt *loop = nest->loops[k];
        int             becomes = loop->u.loop.kind == IRL_SERIAL && !nest->is_opaque &&
                      (irl__is_int(loop->u.loop.extent, 1) || irl__nest_is_told_apart(nest, loop) ||
                       (irl__nest_may_be_parallel(nest, loop) &&
                        irl__loop_carries(nest->t, irl__loop_of(nest->t, loop), NULL) == IRL_NO));
        changed |= becomes;
        if (!changed) {
            body = loop;
            continue;
        }
        body = irl__stmt_loop_as(nest->cx, loop, becomes ? IRL_PARALLEL : loop->u.loop.kind,
                                 loop->u.loop.axis, body);
        if (!body) return NULL;
    }
    return body;
}

static const irl_stmt *irl__parallelize_stmt(irl__rewriter *r, const irl_stmt *s)
{
    irl__nest nest;
    if (s->kind == IRL__SEQ) return irl__rewrite_stmt_children(r, s);
    if (s->kind != IRL__FOR || irl__stmt_is_scheduled(s)) return s;
    memset(&nest, 0, sizeof nest);
    nest.cx = r->cx;
    nest.t = (irl__accesses *)r->user;
    return irl__nest_collect(&nest, s) ? irl__nest_marked(&nest, s) : NULL;
}

irl_func *irl__pass_parallelize(const irl_func *f)
{
    irl__arena_mark mark = irl__scratch_begin(f->cx);
    irl__accesses   t;
    irl__rewriter   r = irl__rewriter_make(f->cx, &t, NULL, irl__parallelize_stmt);
    irl_func       *out = irl__accesses_of(&t, f, NULL) ? irl__rewrite_func(&r, f) : NULL;
    irl__scratch_end(f->cx, mark);
    return out;
}
