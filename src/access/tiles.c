/* tiles.c - are two accesses at different cells in any two iterations of a loop? decided without a
   system.

   requires  loops with numbers for bounds, indices that are sums of multiples of their variables
   promises  true only if no iterations of both that differ in the loop, and agree in the loops
             around it, touch one cell; if no loop is given, the answer is for all iterations
   cost      the nodes of the indices
   source    tiles: t[i * 8 + a] and t[i * 8 + b] with a and b in [0, 8) are apart for different i

   With i and i' for the two iterations, s * i + a = s * i' + b takes |a - b| of at least |s|. */
#include "access.h"

enum { IRL__TILES_NODES = 64, IRL__TILES_FIXED = 16 };

/* Is it the value of something that stands around? */
static int irl__tiles_is_around(const irl_expr *e, const void *user)
{
    const irl__around *n = (const irl__around *)user;
    if (e->flags & IRL__HAS_MEMORY) return 1;
    if (e->op != IRL_OP_VAR) return 0;
    while (n && n->var != e) n = n->outer;
    return n != NULL;
}

int irl__access_is_plain(const irl__access *a, const irl__access *b)
{
    if (a->buffer != b->buffer || !a->buffer || a->buffer->strides || a->is_texel || b->is_texel ||
        a->buffer->data != a->memory || a->rank != b->rank)
        return 0;
    for (int k = 0; k < a->buffer->rank; k++)
        if (a->buffer->shape[k]->op != IRL_OP_INT &&
            irl__expr_any(a->buffer->shape[k], irl__tiles_is_around, a->around))
            return 0;
    return 1;
}

int irl__access_is_apart(const irl__access *a, const irl__access *b)
{
    for (int k = 0; k < a->rank && k < b->rank; k++)
        if (a->indices[k]->op == IRL_OP_INT && b->indices[k]->op == IRL_OP_INT &&
            a->indices[k] != b->indices[k])
            return irl__access_is_plain(a, b);
    return 0;
}

/* The difference of two indices: scale[0] * v - scale[1] * v' + [lo, hi] + what is fixed. */
typedef struct irl__tiles {
    const irl__around *loop;
    const irl__access *of[2];
    int                side; /* which of them is read */
    int64_t            scale[2], lo, hi;
    int                fixed_count; /* what is the same for both */
    const irl_expr    *fixed[IRL__TILES_FIXED];
    int64_t            by[IRL__TILES_FIXED];
} irl__tiles;

static int irl__tiles_range(irl__tiles *q, const irl_stmt *loop, int64_t scale)
{
    int64_t hi, x, y;
    if (loop->u.loop.min->op != IRL_OP_INT || loop->u.loop.extent->op != IRL_OP_INT ||
        loop->u.loop.extent->u.i < 1)
        return 0;
    int64_t lo = loop->u.loop.min->u.i;
    if (!irl__add64(lo, loop->u.loop.extent->u.i - 1, &hi) || !irl__mul64(lo, scale, &x) ||
        !irl__mul64(hi, scale, &y))
        return 0;
    return irl__add64(q->lo, x < y ? x : y, &q->lo) && irl__add64(q->hi, x < y ? y : x, &q->hi);
}

/* Adds scale * e, which is the same for both. */
static int irl__tiles_fixed(irl__tiles *q, const irl_expr *e, int side, int64_t scale)
{
    int k;
    for (k = 0; k < q->fixed_count && q->fixed[k] != e; k++) {}
    if (k == IRL__TILES_FIXED) return 0;
    if (k == q->fixed_count) q->by[q->fixed_count] = 0, q->fixed[q->fixed_count++] = e;
    return irl__add64(q->by[k], side ? -scale : scale, &q->by[k]);
}

/* Adds scale * var of that side's iteration: of the loop in question, of one inside of it, or what
   is the same for both: of a loop around, or a parameter. */
static int irl__tiles_var(irl__tiles *q, const irl__access *a, const irl_expr *var, int side,
                          int64_t scale)
{
    const irl__around *n = irl__around_next(a->around, IRL__AROUND_LOOP);
    if (var == q->loop->var) return irl__add64(q->scale[side], scale, &q->scale[side]);
    for (; n && n != q->loop; n = irl__around_next(n->outer, IRL__AROUND_LOOP))
        if (n->var == var) return irl__tiles_range(q, n->stmt, side ? -scale : scale);
    for (; n && n->var != var; n = irl__around_next(n->outer, IRL__AROUND_LOOP)) {}
    return (n || !irl__tiles_is_around(var, a->around)) && irl__tiles_fixed(q, var, side, scale);
}

static int irl__tiles_term(void *user, const irl_expr *e, int64_t scale, const irl_expr *factor,
                           int is_fixed)
{
    irl__tiles        *q = (irl__tiles *)user;
    const irl__access *a = q->of[q->side];
    int64_t            x;
    if (factor || scale == INT64_MIN) return 0;
    if (is_fixed)
        return irl__mul64(e->u.i, q->side ? -scale : scale, &x) && irl__add64(q->lo, x, &q->lo) &&
               irl__add64(q->hi, x, &q->hi);
    if (e->op == IRL_OP_VAR) return irl__tiles_var(q, a, e, q->side, scale);
    return !irl__expr_any(e, irl__tiles_is_around, a->around) && /* of parameters alone */
           irl__tiles_fixed(q, e, q->side, scale);
}

static int irl__tiles_index(irl__accesses *t, const irl__around *loop, const irl__access *a,
                            const irl__access *b, int axis)
{
    const irl_expr *x = irl__accesses_plain(t, a->indices[axis]),
                   *y = irl__accesses_plain(t, b->indices[axis]);
    irl__tiles         q;
    irl__affine_reader r = { t->cx, &q, NULL, irl__tiles_term, 0 };
    if (!x || !y || x->size > IRL__TILES_NODES || y->size > IRL__TILES_NODES) return 0;
    memset(&q, 0, sizeof q);
    q.loop = loop;
    q.of[0] = a;
    q.of[1] = b;
    if (!irl_type_equal(x->type, irl__type_index()) ||
        !irl_type_equal(y->type, irl__type_index()) || !irl__affine_read(&r, x, 1, NULL))
        return 0;
    q.side = 1;
    if (!irl__affine_read(&r, y, 1, NULL)) return 0;
    if (q.scale[0] != q.scale[1] || q.scale[0] == INT64_MIN) return 0;
    for (int k = 0; k < q.fixed_count; k++)
        if (q.by[k]) return 0;
    if (q.scale[0] < 0) q.scale[0] = -q.scale[0];
    return q.lo > -q.scale[0] && q.hi < q.scale[0];
}

int irl__access_is_apart_along(irl__accesses *t, const irl__around *loop, const irl__access *a,
                               const irl__access *b)
{
    if (!irl__access_is_plain(a, b) || !irl__access_under(a, loop) || !irl__access_under(b, loop))
        return 0;
    for (int k = 0; k < a->rank; k++)
        if (irl__tiles_index(t, loop, a, b, k)) return 1;
    return 0;
}
