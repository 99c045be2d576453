/* growth.c - maps whose outputs grow with their axes: squares, triangles, powers.

   needs     values.c: every output has a value everywhere; ranges, which know polynomials
   promises  injective, or not known. Output f determines axis v where f(v + 1, p) - f(v, q) is
             above 0 for all values p and q of the axes not determined yet, or below 0: then f at
             a larger v is larger, whatever those are. Determined axes are the same on
             both sides. A map whose axes are all determined is injective
   cost      at most the outputs times the square of the axes, a simplification each */
#include "change.h"

enum { IRL__GROWTH_NODES = 1024 };

/* Whether output e tells axis v. */
static int irl__growth_tells(irl__check *c, const irl_expr *e, const unsigned char *told, int v)
{
    irl_ctx        *cx = c->cx;
    irl__arena_mark mark = irl__scratch_begin(cx);
    irl__analyzer  *an = irl__analyzer_begin(cx);
    const irl_expr *next[IRL_MAX_RANK];
    irl__interval   r = { 0, 0 };
    int             k, ok = an != NULL;
    for (k = 0; ok && k < c->map->input_count; k++) {
        const irl_expr *var = c->map->inputs[k];
        const int64_t   last = c->v.shape.extent[k] - 1 - (k == v);
        next[k] = k == v ? irl__add(cx, var, irl_expr_index(cx, 1))
                  : told[k] ? var : irl_expr_var(cx, "other", var->type);
        ok = next[k] && irl__bind_range(an, var, 0, last) &&
             (k == v || told[k] || irl__bind_range(an, next[k], 0, last));
    }
    e = ok ? irl_expr_op2(cx, IRL_OP_SUB,
                          irl__substitute(cx, e, c->map->input_count, c->map->inputs, next), e)
           : NULL;
    e = e ? irl__canonical(an, e) : NULL;
    if (e) r = irl__range_of(an, e);
    irl__scratch_end(cx, mark);
    return e && (r.lo > 0 || r.hi < 0);
}

int irl__check_by_growth(irl__check *c)
{
    unsigned char told[IRL_MAX_RANK];
    const int     count = c->map->input_count;
    int           k, v, left = 0, before;
    for (v = 0; v < count; v++) left += !(told[v] = c->v.shape.extent[v] <= 1);
    do {
        before = left;
        for (k = 0; k < c->map->output_count; k++) {
            const irl_expr *e = irl__domain_output(&c->on, k);
            if (!e) return 0;
            if (e->size > IRL__GROWTH_NODES) continue;
            for (v = 0; v < count && irl__ok(c->cx); v++)
                if (!told[v] && irl__expr_uses_var(e, c->map->inputs[v]) &&
                    irl__growth_tells(c, e, told, v))
                    told[v] = 1, left--;
        }
    } while (left && left < before && irl__ok(c->cx));
    if (!irl__ok(c->cx)) return 0;
    if (left) return -1;
    c->v.kind = IRL_INJECTIVE;
    c->v.method = "growth";
    return 1;
}
