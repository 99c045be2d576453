/* shape.c - converts shapes of numbers to symbolic shapes, and back.

   needs     the simplifier, for extents that are constants
   promises  a shape that is accepted has a possible rank, no negative extent, and only names of
             type index; else the diagnostic says what is wrong */
#include "arith.h"

static int irl__shape_is_ranked(int rank) { return rank >= 0 && rank <= IRL_MAX_RANK; }

irl_shape irl_shape_of(int rank, const irl_expr *const *extents)
{
    irl_shape s;
    memset(&s, 0, sizeof s);
    s.rank = rank > 0 && !extents ? -1 : rank;
    s.named = rank > 0 ? extents : NULL;
    for (int k = 0; irl__shape_is_ranked(s.rank) && k < s.rank; k++) {
        const irl_expr *e = extents[k];
        s.extent[k] = e && e->op == IRL_OP_INT && irl__type_is_index(e->type) ? e->u.i : -1;
    }
    return s;
}

int64_t irl_shape_count(irl_shape shape)
{
    int64_t count = 1;
    int     k, is_empty = 0;
    if (!irl__shape_is_ranked(shape.rank)) return -1;
    if (shape.named) shape = irl_shape_of(shape.rank, shape.named);
    for (k = 0; k < shape.rank; k++) {
        if (shape.extent[k] < 0) return -1;
        is_empty |= shape.extent[k] == 0;
    }
    for (k = 0; k < shape.rank && !is_empty; k++)
        if (!irl__mul64(count, shape.extent[k], &count)) return -1;
    return is_empty ? 0 : count;
}

/* ------------------------------------------------------------------ one as the other */

int irl__shape_of(irl_ctx *cx, int count, const irl_expr *const *extents, irl_shape *out)
{
    memset(out, 0, sizeof *out);
    out->rank = count;
    for (int k = 0; k < count; k++) {
        const irl_expr *e = irl__simplify_alone(cx, extents[k]);
        if (!e || e->op != IRL_OP_INT || e->u.i < 0) return 0;
        out->extent[k] = e->u.i;
    }
    return 1;
}

const irl_expr *const *irl__shape_extents(irl_ctx *cx, const irl_shape *shape)
{
    const irl_expr **list;
    if (shape->named) return shape->named;
    list = IRL__NEW(cx, const irl_expr *, shape->rank);
    for (int k = 0; list && k < shape->rank; k++) list[k] = irl_expr_index(cx, shape->extent[k]);
    return irl__ok(cx) ? list : NULL;
}

int irl__shape_keep(irl_ctx *cx, int rank, const irl_expr *const *extents, irl_shape *out)
{
    const irl_expr *const *copy = IRL__COPY(cx, const irl_expr *, extents, rank);
    if (copy) *out = irl_shape_of(rank, copy);
    return copy != NULL;
}

/* ------------------------------------------------------------------ what is asked about */

/* What a shape is given as, and the least number in it. */
typedef struct irl__shape_role {
    const char *part, *whole;
    int64_t     least;
} irl__shape_role;
static const irl__shape_role irl__shape_roles[] = { { "extent", "shape", 0 },
                                                    { "extent", "bound", INT64_MIN },
                                                    { "coordinate", "point", INT64_MIN },
                                                    { "stride", "map", INT64_MIN },
                                                    { "extent", "tensor", INT64_MIN } };

static int irl__shape_refuse(irl_ctx *cx, irl_loc loc, irl__shape_as as, int k, const char *is)
{
    const irl__shape_role *role = &irl__shape_roles[as];
    return irl__fail(cx, IRL_ERROR_BAD_ARGUMENT, loc, "%s %d of the %s is %s", role->part, k,
                     role->whole, is);
}

/* A number in it; -1 is what a name has, so the sign is looked at here. */
static int irl__shape_admits(irl_ctx *cx, int64_t v, irl__shape_as as, int k, irl_loc loc)
{
    const irl__shape_role *role = &irl__shape_roles[as];
    return v >= role->least ||
           irl__fail(cx, IRL_ERROR_BAD_ARGUMENT, loc,
                     "%s %d of the %s is %l; it must not be negative", role->part, k, role->whole,
                     v);
}

/* Are they expressions of type index? Where all are constants they become numbers. */
static int irl__shape_read(irl_ctx *cx, irl_shape *s, irl__shape_as as, irl_loc loc)
{
    int k, count = 0;
    for (k = 0; k < s->rank; k++) {
        const irl_expr *e = s->named[k];
        if (!e) return irl__shape_refuse(cx, loc, as, k, "NULL");
        if (!irl__type_is_index(e->type) || e->type.lanes != 1)
            return irl__shape_refuse(cx, loc, as, k, "not an index");
        e = irl__simplify_alone(cx, e);
        if (!e) return 0;
        s->extent[k] = -1;
        if (e->op != IRL_OP_INT) continue;
        count++;
        s->extent[k] = e->u.i;
        if (!irl__shape_admits(cx, e->u.i, as, k, loc)) return 0;
    }
    if (count == s->rank) s->named = NULL;
    return 1;
}

int irl__shape_settle(irl_ctx *cx, irl_shape *s, irl__shape_as as, irl_loc loc)
{
    if (!irl__shape_is_ranked(s->rank))
        return irl__fail(cx, IRL_ERROR_BAD_ARGUMENT, loc, "a %s of %d axes; 0 to %d are possible",
                         irl__shape_roles[as].whole, s->rank, IRL_MAX_RANK);
    if (s->named) return irl__shape_read(cx, s, as, loc);
    for (int k = 0; k < s->rank; k++)
        if (!irl__shape_admits(cx, s->extent[k], as, k, loc)) return 0;
    return 1;
}

int irl__shape_is_counted(irl_ctx *cx, irl_shape *s, irl__shape_as as, const char *who, irl_loc loc)
{
    int k;
    if (!irl__shape_settle(cx, s, as, loc)) return 0;
    if (!s->named) return 1;
    for (k = 0; irl__simplify_alone(cx, s->named[k])->op == IRL_OP_INT; k++) continue;
    return irl__fail(cx, IRL_ERROR_BAD_ARGUMENT, loc,
                     "%s accepts numbers only; %s %d of the %s is '%s', which contains a name", who,
                     irl__shape_roles[as].part, k, irl__shape_roles[as].whole,
                     irl_expr_text(cx, s->named[k]));
}
