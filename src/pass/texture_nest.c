/* texture_nest.c - the loop over the channels of an image, down to the one store that it surrounds.

   needs     texture_places.c
   promises  the channel is outer * lanes + lane, everywhere in the nest; a condition is split into
             the part that depends on the lane and the rest, and nothing is evaluated that an
             earlier term guarded */
#include "textures.h"

int irl__tex_nest_find(irl__tex_state *state, const irl_stmt *loop, irl__tex_nest *n)
{
    const irl_stmt *s = loop;
    memset(n, 0, sizeof *n);
    while (n->count < (int)IRL__COUNTOF(n->around)) {
        if (s->kind == IRL__FOR && s->u.loop.kind != IRL_BOUND &&
            (s == loop || !irl__stmt_bounds_use(s, loop->u.loop.var))) {
            if (s != loop && !irl__bind_loop(state->an, s)) return 0;
            n->around[n->count++] = s;
            s = s->u.loop.body;
        } else if (s->kind == IRL__IF && !s->u.branch.else_) {
            n->around[n->count++] = s;
            s = s->u.branch.then_;
        } else
            break;
        s = irl__stmt_without_lets(state->cx, s);
        if (!s) return 0;
    }
    n->store = s;
    if (s->kind != IRL__STORE || !irl__tex_is(s->u.store.buffer)) return 0;
    n->lanes = irl__texel_measure(s->u.store.buffer);
    /* The channel from 0 on, whose extent may be symbolic, or a part of one texel. */
    if (n->lanes <= 0) return 0;
    const irl_expr *min = loop->u.loop.min, *extent = loop->u.loop.extent;
    if (extent->op != IRL_OP_INT) return irl__is_int(min, 0);
    if (min->op != IRL_OP_INT || extent->u.i <= 0) return 0;
    return min->u.i == 0 ||
           (min->u.i > 0 && min->u.i < n->lanes && extent->u.i <= n->lanes - min->u.i);
}

static const irl_expr *irl__tex_name_var(irl_ctx *cx, const irl_expr *var, const char *part)
{
    return irl_expr_var(cx, irl__format(cx, "%s_%s", var->u.name, part), var->type);
}

/* e with the channel written as outer * lanes + lane. */
static const irl_expr *irl__tex_divided(irl__tex_state *state, const irl__tex_nest *n,
                                        const irl_expr *e)
{
    const irl_expr *channel = irl__add(
        state->cx, irl__mul(state->cx, n->outer, irl_expr_index(state->cx, n->lanes)), n->lane);
    const irl_expr *var = n->around[0]->u.loop.var;
    e = channel ? irl__substitute(state->cx, e, 1, &var, &channel) : NULL;
    return irl__simplify(state->an, e);
}

/* A comparison of sums and products of variables and constants, which has an answer everywhere. */
static int irl__tex_is_sums(const irl_expr *e)
{
    if (e->op == IRL_OP_INT || e->op == IRL_OP_VAR) return 1;
    if (irl__op_info((irl_op)e->op)->rule != IRL__COMPARE && e->op != IRL_OP_ADD &&
        e->op != IRL_OP_SUB && e->op != IRL_OP_MUL)
        return 0;
    for (uint32_t k = 0; k < e->count; k++)
        if (!irl__tex_is_sums(e->a[k])) return 0;
    return 1;
}

/* Terms of a condition that follow the lane leave lanes out, the others guard the texel. What
   stands behind a term about the lane may count on it, so it stays behind it, unless it is a
   comparison of sums. */
static void irl__tex_sort_condition(irl__tex_state *state, irl__tex_nest *n, int k,
                                    const irl_expr *g)
{
    const irl_expr *left = g->op == IRL_OP_AND ? g->a[0] : NULL, *right = left ? g->a[1] : g;
    if (left) irl__tex_sort_condition(state, n, k, left);
    if (right->op == IRL_OP_AND) irl__tex_sort_condition(state, n, k, right);
    else if (irl__expr_uses_var(right, n->lane) || (n->partial && !irl__tex_is_sums(right)))
        n->partial = irl__and(state->cx, n->partial, right);
    else n->guard[k] = irl__and(state->cx, n->guard[k], right);
}

/* The variables of texel and lane, and how many texels there are; of the last one a part, if that
   is known not to be so. */
static int irl__tex_nest_split(irl__tex_state *state, irl__tex_nest *n)
{
    irl_ctx        *cx = state->cx;
    const irl_stmt *loop = n->around[0];
    const irl_expr *end = irl__simplify(state->an,
                                        irl__add(cx, loop->u.loop.min, loop->u.loop.extent)),
                   *lanes = irl_expr_index(cx, n->lanes);
    const irl_expr *texels = end ? irl_expr_op2(cx, IRL_OP_FLOORDIV,
                                                irl__add(cx, end, irl_expr_index(cx, n->lanes - 1)),
                                                lanes)
                                 : NULL,
                   *rest;
    n->outer_extent = irl__simplify(state->an, texels);
    if (!n->outer_extent) return 0;
    int is_one = irl__is_int(n->outer_extent, 1);
    n->lane = is_one ? irl_expr_var(cx, loop->u.loop.var->u.name, irl__type_index())
                     : irl__tex_name_var(cx, loop->u.loop.var, "lane");
    n->outer = is_one ? irl_expr_index(cx, 0) : irl__tex_name_var(cx, loop->u.loop.var, "texel");
    if (!n->lane || !n->outer || !irl__bind_range(state->an, n->lane, 0, n->lanes - 1)) return 0;
    if (!is_one && !irl__bind_extent(state->an, n->outer, irl_expr_index(cx, 0), n->outer_extent))
        return 0;
    rest = irl__simplify(state->an, irl_expr_op2(cx, IRL_OP_FLOORMOD, end, lanes));
    if (rest && !irl__is_int(rest, 0))
        n->partial = irl_expr_op2(cx, IRL_OP_LT, irl__tex_divided(state, n, loop->u.loop.var), end);
    return rest != NULL;
}

int irl__tex_nest_divide(irl__tex_state *state, irl__tex_nest *n)
{
    irl_ctx        *cx = state->cx;
    const irl_stmt *loop = n->around[0];
    const irl_expr *indices[IRL_MAX_RANK], *value, *g;
    int64_t         first = loop->u.loop.min->u.i;
    if (!irl__tex_nest_split(state, n)) return 0;
    if (first)
        n->partial = irl__and(cx, n->partial,
                              irl_expr_op2(cx, IRL_OP_GE, n->lane, irl_expr_index(cx, first)));
    for (int k = 1; k < n->count; k++) {
        if (n->around[k]->kind != IRL__IF) continue;
        g = irl__tex_divided(state, n, n->around[k]->u.branch.condition);
        if (!g) return 0;
        irl__tex_sort_condition(state, n, k, g);
    }
    for (int k = 0; k < n->store->u.store.buffer->rank; k++) {
        indices[k] = irl__tex_divided(state, n, n->store->u.store.indices[k]);
        if (!indices[k]) return 0;
    }
    value = irl__tex_divided(state, n, n->store->u.store.value);
    n->store = irl__stmt_store(cx, n->store->u.store.buffer, value,
                               n->store->u.store.buffer->rank, indices, n->store->loc);
    return n->store && irl__ok(cx);
}

int irl__tex_nest_is_texel(irl__rewriter *r, const irl__tex_nest *n, irl__tex_place *p)
{
    const irl_buffer *b = irl__tex_buffer(r, n->store->u.store.buffer);
    if (!b || !irl__tex_place_of((irl__tex_state *)r->user, b, n->store->u.store.indices, p) ||
        p->lane != n->lane)
        return 0;
    for (int k = 0; k < IRL__TEXEL_AXES; k++)
        if (p->at[k] && irl__expr_uses_var(p->at[k], n->lane)) return 0;
    return 1;
}

const irl_expr *irl__tex_at_lane(irl__tex_state *state, const irl__tex_nest *n, const irl_expr *e,
                                 int k)
{
    const irl_expr *lane = irl_expr_index(state->cx, k);
    e = lane ? irl__substitute(state->cx, e, 1, &n->lane, &lane) : NULL;
    return irl__simplify(state->an, e);
}

const irl_expr *irl__tex_some_lane(irl__tex_state *state, const irl__tex_nest *n)
{
    const irl_expr *some = irl__tex_at_lane(state, n, n->partial, 0), *holds;
    for (int k = 1; some && k < n->lanes; k++) {
        holds = irl__tex_at_lane(state, n, n->partial, k);
        some = irl_expr_op2(state->cx, IRL_OP_OR, some, holds);
    }
    return irl__simplify(state->an, some);
}

/* The terms of the conditions that do not follow the lane stay around the texel. */
int irl__tex_is_inside(irl__tex_state *state, const irl__tex_nest *n)
{
    const irl_buffer *b = n->store->u.store.buffer;
    const int         mark = irl__facts_mark(state->an);
    int               inside = 1;
    for (int k = 0; inside && k < n->count; k++)
        inside = !n->guard[k] || irl__fact(state->an, n->guard[k]);
    for (int k = 0; inside && k < b->rank; k++) {
        const irl_expr *index = irl__tex_at_lane(state, n, n->store->u.store.indices[k], 0);
        inside = irl__prove_within(state->an, index, b->shape[k]);
    }
    irl__facts_release(state->an, mark);
    return inside;
}
