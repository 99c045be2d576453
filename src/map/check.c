/* check.c - irl_map_check: one function for shapes of numbers and symbolic shapes.

   needs     verdict.c for numbers, extents.c for names
   promises  a shape whose extents are all constants has the answer of its numbers */
#include "map.h"

/* The bound of the options, into c->bound; with names in it a settled copy is the context's. */
static int irl__check_bound(irl__check *c)
{
    const irl_shape *given = c->how->bound;
    irl_shape       *settled;
    c->bound = given;
    if (!given) return 1;
    if (given->rank != c->map->output_count)
        return irl__fail(c->cx, IRL_ERROR_RANK_MISMATCH, c->map->loc,
                         "the bound has %d axes and the map goes to %d", given->rank,
                         c->map->output_count);
    if (!given->named) return 1;
    c->bound = settled = IRL__COPY(c->cx, irl_shape, given, 1);
    return settled && irl__shape_settle(c->cx, settled, IRL__AS_BOUND, c->map->loc);
}

/* The map and the shape of the question; false if it is none. */
static int irl__check_ask(irl__check *c, const irl_map *map, irl_shape *shape)
{
    c->map = irl__map_for_shape(c->cx, map, shape);
    if (c->map && shape->named) {
        if (!irl__shape_keep(c->cx, shape->rank, shape->named, &c->v.shape)) return 0;
    } else if (shape->rank >= 0 && shape->rank <= IRL_MAX_RANK && !shape->named)
        c->v.shape = *shape;
    return c->map && irl__check_bound(c);
}

/* as_c: an IRL_LAYOUT is judged as C too. */
static irl_verdict irl__check_as(irl_ctx *cx, const irl_map *map, irl_shape shape,
                                 const irl_check_options *how, const irl_expr *given, int as_c)
{
    irl__check  c;
    irl__check_clear(&c, cx, how);
    irl__asking asking = irl__check_begin(cx, c.how->most_work);
    int         ok = irl__check_ask(&c, map, &shape);
    if (ok && !shape.named && !(c.bound && c.bound->named) && !irl__map_has_names(c.map))
        ok = irl__check_numbers(&c, as_c);
    else if (ok) ok = irl__check_names(&c, given, as_c);
    if (irl__check_end(&asking, ok, &c.v) == 0) irl__verdict_forget(&c.v);
    return c.v;
}

irl_verdict irl_map_check_with(irl_ctx *cx, const irl_map *map, irl_shape shape,
                               const irl_check_options *how)
{
    return irl__check_as(cx, map, shape, how, NULL, 1);
}

irl_verdict irl_map_check(irl_ctx *cx, const irl_map *map, irl_shape shape)
{
    return irl__check_as(cx, map, shape, NULL, NULL, 1);
}

irl_verdict irl__check_text(irl_ctx *cx, const irl_map *map, irl_shape shape)
{
    return irl__check_as(cx, map, shape, NULL, NULL, 0);
}

irl_verdict irl__check_given(irl_ctx *cx, const irl_map *map, irl_shape shape,
                             const irl_expr *given)
{
    return irl__check_as(cx, map, shape, NULL, given, 0);
}

const irl_map *irl_map_inverse(irl_ctx *cx, const irl_map *map, irl_shape shape,
                               const irl_expr **padding)
{
    irl_verdict v = irl__check_text(cx, map, shape);
    int         is_right = irl__verdict_is_right(&v);
    if (padding) *padding = is_right ? v.padding : NULL;
    if (!cx || !map || !irl__ok(cx)) return NULL;
    if (is_right && v.inverse) return v.inverse;
    if (is_right)
        irl__fail(cx, IRL_ERROR_UNDECIDED, map->loc,
                  "the map is %s, but its inverse is too large for an expression of 64 bits",
                  irl_verdict_name(v.kind));
    else
        irl__fail(cx, v.code, map->loc, "the map has no inverse: it is %s",
                  irl_verdict_text(cx, &v));
    return NULL;
}
