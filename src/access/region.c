/* region.c - which cells of memory a block, a nest or a whole function touches: for each buffer a
   box, as expressions over a block's axes, outer loops and parameters.

   needs     path.c; pair.c, for matched buffers and lanes
   promises  every cell that is touched is in the box. An "exact" box has no other cells, for all
             values of the outer variables for which the part runs. Index arithmetic is that of the
             integers: a bound of a box that leaves 64 bits has no value
   cost      for each access: the loops inside of the part, times the size of its indices

   The variables of inner loops are removed from an index one by one, from the inside out, by the
   ends of their ranges (order.c of arith); a condition on one variable alone makes its range
   shorter. A box is exact if the indices of an access are
   independent of one another, and each has all values between its ends (reach.c of arith). */
#include "access.h"

enum {
    IRL__REGION_VARS = 32, /* a bit each; IRL_MAX_RANK at least */
    IRL__REGION_NAMED = 48,
    IRL__REGION_SIZE = 1 << 10,
    IRL__REGION_DEPTH = IRL_MAX_DEPTH / 4,
    IRL__REGION_BOXES = 24 /* of one buffer that are told apart */
};

/* A variable that is put out of the indices: of an inner loop, or the number of a lane. */
typedef struct irl__region_var {
    const irl_expr *var;
    const irl_expr *first, *last; /* in terms of outer ones; NULL: not known */
} irl__region_var;

/* One access. */
typedef struct irl__region_row {
    irl_ctx            *cx;
    irl__analyzer      *an;
    irl__path          *path;
    const irl__around  *part;
    const irl__access  *a;
    const irl__around **inner; /* the binders around it inside of the part, outermost first */
    int                 inner_count;
    int                 depth; /* of the first node inside of the part */
    int                 named_count;
    const irl_expr     *from[IRL__REGION_NAMED], *to[IRL__REGION_NAMED];
    int                 var_count;
    irl__region_var     vars[IRL__REGION_VARS];
    const irl_buffer   *buffer; /* and indices, after matches */
    int                 rank;
    const irl_expr     *indices[IRL_MAX_RANK];
    const irl_expr     *first[IRL_MAX_RANK], *last[IRL_MAX_RANK];
    int                 is_exact, is_whole;
} irl__region_row;

/* ------------------------------------------------------------------ expressions */

static int irl__region_is_small(const irl_expr *e)
{
    return e && e->size <= IRL__REGION_SIZE && e->depth <= IRL__REGION_DEPTH;
}

/* NULL in, NULL out; and for what would become too large. */
static const irl_expr *irl__region_op(const irl__region_row *w, irl_op op, const irl_expr *a,
                                      const irl_expr *b)
{
    if (!irl__region_is_small(a) || !irl__region_is_small(b)) return NULL;
    return irl_expr_op2(w->cx, op, a, b);
}

static const irl_expr *irl__region_plus(const irl__region_row *w, const irl_expr *e, int64_t n)
{
    return irl__region_op(w, IRL_OP_ADD, e, irl_expr_index(w->cx, n));
}

/* A number that leaves 64 bits is not known. */
static const irl_expr *irl__region_simple(const irl__region_row *w, const irl_expr *e)
{
    if (!e) return NULL;
    e = irl__simplify(w->an, e);
    return e && irl__region_is_small(e) && (e->op == IRL_OP_INT || (e->flags & IRL__HAS_VAR)) ? e
                                                                                            : NULL;
}

static const irl_expr *irl__region_put_in(const irl__region_row *w, const irl_expr *e)
{
    if (!irl__region_is_small(e)) return NULL;
    if (w->named_count == 0 || !(e->flags & IRL__HAS_VAR)) return e;
    const irl_expr *out = irl__substitute(w->cx, e, w->named_count, w->from, w->to);
    return out && irl__region_is_small(out) ? out : NULL;
}

/* Bit k: variable k stands in e. */
static uint32_t irl__region_uses(const irl__region_row *w, const irl_expr *e)
{
    uint32_t mask = 0, k;
    if (!(e->flags & IRL__HAS_VAR)) return 0;
    if (e->op == IRL_OP_VAR)
        for (k = 0; k < (uint32_t)w->var_count; k++)
            if (w->vars[k].var == e) return UINT32_C(1) << k;
    for (k = 0; k < e->count; k++) mask |= irl__region_uses(w, e->a[k]);
    return mask;
}

static int irl__region_le(const irl__region_row *w, const irl_expr *a, const irl_expr *b)
{
    if (a == b) return 1;
    const irl_expr *c = irl__region_op(w, IRL_OP_LE, a, b);
    return c && irl__prove(w->an, c);
}

/* Is it the same wherever in the part it is evaluated? */
static int irl__region_is_stable(const irl__region_row *w, const irl_expr *e)
{
    const irl__accesses *t = w->path->t;
    return irl__accesses_is_stable(t, w->part ? w->part->first : 0,
                                   w->part ? w->part->end : t->count, e);
}

/* ------------------------------------------------------------------ ends */

/* The least (sign -1) or the largest value of e over the variables, the innermost first. */
static const irl_expr *irl__region_bound(const irl__region_row *w, const irl_expr *e, int sign)
{
    for (int k = w->var_count; e && k-- > 0;) {
        if (!(irl__region_uses(w, e) >> k & 1)) continue;
        e = irl__region_simple(w, irl__symbolic_bound_over(w->an, e, sign, w->vars[k].var));
    }
    return e;
}

/* ------------------------------------------------------------------ ranges by conditions */

/* The analyzer knows the range of a variable; what was known of it before is forgotten. */
static int irl__region_bind(const irl__region_row *w, const irl__region_var *x)
{
    const irl_expr *extent =
        irl__region_plus(w, irl__region_op(w, IRL_OP_SUB, x->last, x->first), 1);
    return extent && irl__bind_extent(w->an, x->var, x->first, extent);
}

/* coef * v + rest <= 0 holds: the range of v is cut. */
static int irl__region_cut(irl__region_row *w, int v, int64_t coef, const irl_expr *rest)
{
    const irl_expr  *zero = irl_expr_index(w->cx, 0), *end;
    irl__region_var *x = &w->vars[v];
    if (!x->first || !x->last) return 0;
    if (coef > 0) {
        end = irl__region_op(w, IRL_OP_SUB, zero, rest);
        if (coef != 1) end = irl__region_op(w, IRL_OP_FLOORDIV, end, irl_expr_index(w->cx, coef));
        end = irl__region_simple(w, irl__region_op(w, IRL_OP_MIN, x->last, end));
        if (!end) return 0;
        x->last = end;
    } else {
        end = coef == -1 ? rest
                         : irl__region_op(w, IRL_OP_FLOORDIV, irl__region_plus(w, rest, -coef - 1),
                                          irl_expr_index(w->cx, -coef));
        end = irl__region_simple(w, irl__region_op(w, IRL_OP_MAX, x->first, end));
        if (!end) return 0;
        x->first = end;
    }
    return irl__region_bind(w, x);
}

/* d <= 0 holds. False: not all that it says is in the ranges now. */
static int irl__region_below(irl__region_row *w, const irl_expr *d)
{
    int64_t         coef;
    const irl_expr *rest;
    int             v;
    d = irl__region_simple(w, d);
    uint32_t mask = d ? irl__region_uses(w, d) : 0;
    if (!mask || (d->flags & IRL__HAS_MEMORY)) return 0;
    for (v = w->var_count - 1; !(mask >> v & 1); v--) {}
    /* e = coef * variable v + rest, rest without it. */
    const irl_expr *var = w->vars[v].var, *zero = irl_expr_index(w->cx, 0);
    coef = irl__step_number(w->an, d, var);
    if (coef == 0 || coef == INT64_MIN) return 0;
    rest = irl__substitute(w->cx, d, 1, &var, &zero);
    if (!rest) return 0;
    return irl__region_cut(w, v, coef, rest) && mask == UINT32_C(1) << v;
}

static int irl__region_condition(irl__region_row *w, const irl_expr *c)
{
    int ok;
    if (c->op == IRL_OP_AND) {
        ok = irl__region_condition(w, c->a[0]);
        return irl__region_condition(w, c->a[1]) && ok;
    }
    if (irl__is_int(c, 1) && c->type.lanes == 1) return 1;
    if (c->type.lanes != 1 || c->count != 2 || !irl__type_is_index(c->a[0]->type)) return 0;
    const int is_less = c->op == IRL_OP_LT || c->op == IRL_OP_LE;
    const int is_more = c->op == IRL_OP_GT || c->op == IRL_OP_GE;
    if (!is_less && !is_more && c->op != IRL_OP_EQ) return 0;
    const irl_expr *d = irl__region_op(w, IRL_OP_SUB, c->a[is_more], c->a[!is_more]);
    if (c->op == IRL_OP_LT || c->op == IRL_OP_GT) d = irl__region_plus(w, d, 1);
    ok = irl__region_below(w, d);
    return c->op != IRL_OP_EQ
               ? ok
               : irl__region_below(w, irl__region_op(w, IRL_OP_SUB, c->a[1], c->a[0])) && ok;
}

/* ------------------------------------------------------------------ what stands around */

static void irl__region_add_var(irl__region_row *w, const irl_expr *var, const irl_expr *first,
                                const irl_expr *last)
{
    if (w->var_count == IRL__REGION_VARS) {
        w->is_whole = 1;
        return;
    }
    irl__region_var *x = &w->vars[w->var_count++];
    x->var = var;
    x->first = first;
    x->last = last;
}

static int irl__region_enter_loop(irl__region_row *w, const irl__around *n)
{
    const irl_expr *min = irl__region_put_in(w, n->stmt->u.loop.min),
                   *extent = irl__region_put_in(w, n->stmt->u.loop.extent), *last = NULL;
    if (min && extent && irl__region_is_stable(w, min) && irl__region_is_stable(w, extent)) {
        if (!irl__bind_extent(w->an, n->var, min, extent)) return 0;
        min = irl__region_simple(w, min);
        last = irl__region_simple(
            w, irl__region_plus(w, irl__region_op(w, IRL_OP_ADD, min, extent), -1));
    }
    irl__region_add_var(w, n->var, last ? min : NULL, last);
    return irl__ok(w->cx);
}

static int irl__region_enter_named(irl__region_row *w, const irl__around *n)
{
    const irl_expr *value = n->var->type.is_pointer ? NULL : irl__region_put_in(w, n->value);
    /* The reduction axes of init are 0: in the part's own block that is where it runs. */
    if (n->var->type.is_pointer || (w->part && w->part->kind == IRL__AROUND_BLOCK &&
                                    n->stmt == w->part->stmt && n->kind == IRL__AROUND_AXIS))
        return 1;
    if (!value || w->named_count == IRL__REGION_NAMED || !irl__region_is_stable(w, value))
        irl__region_add_var(w, n->var, NULL, NULL);
    else {
        w->from[w->named_count] = n->var;
        w->to[w->named_count++] = value;
    }
    return irl__ok(w->cx);
}

static int irl__region_enter_condition(irl__region_row *w, const irl__around *n)
{
    const irl_expr *c = irl__region_put_in(w, n->value);
    int             is_check = n->kind == IRL__AROUND_CHECK, all;
    if (!c || c->type.lanes != 1 || !irl__region_is_stable(w, c)) {
        if (!is_check) w->is_exact = 0;
        return irl__ok(w->cx);
    }
    c = irl__simplify(w->an, c);
    if (!c) return 0;
    all = irl__region_condition(w, c) ||
          (w->part && w->part->kind == IRL__AROUND_BLOCK && n->stmt == w->part->stmt &&
           n->kind == IRL__AROUND_GUARD && n->value == n->stmt->u.block->predicate) ||
          is_check;
    if (!all) w->is_exact = 0;
    return (c->flags & IRL__HAS_MEMORY) || irl__fact(w->an, c);
}

static int irl__region_enter(irl__region_row *w)
{
    int k, ok = 1;
    for (k = 0; ok && k < w->inner_count; k++) {
        const irl__around *n = w->inner[k];
        switch (n->kind) {
        case IRL__AROUND_LOOP: ok = irl__region_enter_loop(w, n); break;
        case IRL__AROUND_LET:
        case IRL__AROUND_AXIS: ok = irl__region_enter_named(w, n); break;
        case IRL__AROUND_GUARD:
        case IRL__AROUND_CHECK: ok = irl__region_enter_condition(w, n); break;
        case IRL__AROUND_BLOCK:
        case IRL__AROUND_MEMORY: break;
        }
    }
    return ok;
}

/* ------------------------------------------------------------------ are all cells touched */

/* The box has no cells where the range of v has no values. */
static int irl__region_empty_too(const irl__region_row *w, int v)
{
    const irl_expr *extent, *c = irl__region_op(w, IRL_OP_LT, w->vars[v].last, w->vars[v].first);
    int             facts = irl__facts_mark(w->an), k, ok = 0;
    if (!c || !irl__fact(w->an, c)) return 0;
    for (k = 0; !ok && k < w->rank; k++) {
        extent = irl__region_op(w, IRL_OP_LT, w->last[k], w->first[k]);
        ok = extent && irl__prove(w->an, extent);
    }
    irl__facts_release(w->an, facts);
    return ok;
}

/* Variables that stand in an index, or in the range of another than v. */
static uint32_t irl__region_used(const irl__region_row *w, int v)
{
    uint32_t mask = 0;
    for (int k = 0; k < w->rank; k++) mask |= irl__region_uses(w, w->indices[k]);
    for (int k = 0; k < w->var_count; k++)
        if (k != v)
            mask |= irl__region_uses(w, w->vars[k].first) | irl__region_uses(w, w->vars[k].last);
    return mask;
}

/* One end of v's range varies with others that have no other use: v goes over all ranges together,
   which begin, or end, at one place. */
static int irl__region_gathers(irl__region_row *w, int v, int since)
{
    irl__region_var *x = &w->vars[v];
    const uint32_t   first = irl__region_uses(w, x->first), last = irl__region_uses(w, x->last);
    if (!(first | last)) return 1;
    for (int k = 0; k < v; k++) /* what those vary with may have another use */
        if (((first | last) >> k & 1) && (irl__region_uses(w, w->vars[k].first) ||
                                          irl__region_uses(w, w->vars[k].last)))
            return 0;
    if ((first && last) || ((first | last) & irl__region_used(w, v)) ||
        !irl__is_dense_since(w->an, first ? x->first : x->last, since))
        return 0;
    if (first) x->first = irl__region_bound(w, x->first, -1);
    else x->last = irl__region_bound(w, x->last, 1);
    return x->first && x->last;
}

/* Ranges, of which no one is empty unless the box is, bound since that mark. */
static int irl__region_ranges(irl__region_row *w, int since)
{
    uint32_t used = 0;
    for (int k = 0; k < w->var_count; k++)
        if (!w->vars[k].first || !w->vars[k].last) return 0;
    for (int k = 0; k < w->rank; k++) used |= irl__region_uses(w, w->indices[k]);
    for (int k = 0; k < w->var_count; k++) {
        const irl__region_var *x = &w->vars[k];
        if ((used >> k & 1) && !irl__region_gathers(w, k, since)) return 0;
        if (!irl__region_le(w, x->first, x->last) && !irl__region_empty_too(w, k)) return 0;
        if (!irl__region_bind(w, x)) return 0;
    }
    return 1;
}

/* Independent indices without gaps. What is known here holds outside of the part, and where the
   ranges that were looked at before are not empty. */
static int irl__region_is_full(irl__region_row *w)
{
    uint32_t seen = 0;
    int      bindings = irl__bindings_mark(w->an), ok = irl__region_ranges(w, bindings);
    for (int k = 0; ok && k < w->rank; k++) {
        const uint32_t mask = irl__region_uses(w, w->indices[k]);
        ok = !(mask & seen) && irl__is_dense_since(w->an, w->indices[k], bindings);
        seen |= mask;
    }
    irl__bindings_release(w->an, bindings);
    return ok;
}

/* ------------------------------------------------------------------ one access */

/* A view that is declared inside has no name outside. */
static int irl__region_is_hidden(const irl__region_row *w)
{
    const irl__around *n =
        (const irl__around *)irl__ptr_map_get(&w->path->t->declared, w->buffer);
    return n && n->depth >= w->depth;
}

/* Which buffer, by which indices. */
static int irl__region_begin(irl__region_row *w)
{
    const irl__access *a = w->a;
    w->buffer = a->buffer;
    w->rank = a->rank;
    w->is_exact = 1;
    w->is_whole = a->kind == IRL__ACCESS_OPAQUE || a->is_texel;
    if (a->rank)
        memcpy((void *)w->indices, (const void *)a->indices, (size_t)a->rank * sizeof *w->indices);
    if (!w->is_whole && a->lanes > 1) {
        const irl_expr *lane = irl_expr_var(w->cx, "lane", irl__type_index());
        if (!lane) return 0;
        w->indices[a->rank - 1] = irl__index_lane(w->cx, a->indices[a->rank - 1], lane);
        if (!w->indices[a->rank - 1]) w->is_whole = 1;
        irl__region_add_var(w, lane, irl_expr_index(w->cx, 0),
                            irl_expr_index(w->cx, (int64_t)a->lanes - 1));
        if (!irl__bind_extent(w->an, lane, irl_expr_index(w->cx, 0),
                              irl_expr_index(w->cx, (int64_t)a->lanes)))
            return 0;
    }
    if (!w->is_whole && !irl__unmatch(w->cx, a->around, w->part, &w->buffer, &w->rank, w->indices))
        w->is_whole = 1;
    if (w->buffer && irl__region_is_hidden(w)) {
        w->buffer = (const irl_buffer *)irl__ptr_map_get(&w->path->t->owner, a->memory);
        w->is_whole = 1;
    }
    return irl__ok(w->cx);
}

/* All of an axis, or what the range of e leaves of it. */
static int irl__region_by_range(irl__region_row *w, int k, const irl_expr *e)
{
    const irl_expr *shape = w->buffer->shape[k];
    irl__interval   r;
    r.lo = INT64_MIN;
    r.hi = INT64_MAX;
    if (e) r = irl__interval_of(w->an, e);
    w->is_exact = 0;
    if (!w->first[k]) w->first[k] = irl_expr_index(w->cx, r.lo > 0 ? r.lo : 0);
    if (w->last[k]) return w->first[k] != NULL;
    w->last[k] = irl_expr_index(w->cx, r.hi);
    if (r.hi == INT64_MAX || !irl__prove(w->an, irl_expr_op2(w->cx, IRL_OP_LT, w->last[k], shape)))
        w->last[k] = irl__simplify(w->an, irl__sub(w->cx, shape, irl_expr_index(w->cx, 1)));
    return w->first[k] && w->last[k];
}

/* What is known inside is forgotten when the box is made. */
static int irl__region_measure(irl__region_row *w)
{
    int bindings = irl__bindings_mark(w->an), facts = irl__facts_mark(w->an), k, ok;
    ok = irl__region_begin(w) && irl__region_enter(w);
    for (k = 0; ok && !w->is_whole && w->buffer && k < w->rank; k++) {
        const irl_expr *e = irl__region_put_in(w, w->indices[k]);
        const int       is_stable = e && irl__region_is_stable(w, e);
        if (is_stable) e = irl__region_simple(w, e);
        w->indices[k] = e;
        w->first[k] = is_stable ? irl__region_bound(w, e, -1) : NULL;
        w->last[k] = is_stable ? irl__region_bound(w, e, 1) : NULL;
        ok = (w->first[k] && w->last[k]) || irl__region_by_range(w, k, e);
    }
    irl__facts_release(w->an, facts);
    irl__bindings_release(w->an, bindings);
    if (!ok || !w->buffer) return ok;
    if (w->is_whole) {
        w->is_exact = 0;
        w->rank = w->buffer->rank;
        for (int j = 0; j < w->rank; j++) {
            w->first[j] = irl_expr_index(w->cx, 0);
            w->last[j] = irl__simplify(
                w->an, irl__sub(w->cx, w->buffer->shape[j], irl_expr_index(w->cx, 1)));
            if (!w->first[j] || !w->last[j]) return 0;
        }
        return 1;
    }
    if (w->is_exact) w->is_exact = irl__region_is_full(w);
    return irl__ok(w->cx);
}

/* ------------------------------------------------------------------ boxes */

/* Is box a within b? */
static int irl__region_within(const irl__region_row *w, const irl__region_box *a,
                              const irl__region_box *b)
{
    for (int k = 0; k < a->buffer->rank; k++)
        if (!irl__region_le(w, b->first[k], a->first[k]) ||
            !irl__region_le(w, a->last[k], b->last[k]))
            return 0;
    return 1;
}

static const irl_expr *irl__region_extreme(const irl__region_row *w, irl_op op, const irl_expr *a,
                                           const irl_expr *b)
{
    if (irl__region_le(w, a, b)) return op == IRL_OP_MIN ? a : b;
    if (irl__region_le(w, b, a)) return op == IRL_OP_MIN ? b : a;
    return irl__simplify(w->an, irl_expr_op2(w->cx, op, a, b));
}

/* Are two exact boxes one, where they differ along one axis and leave no gap? */
static int irl__region_joins(const irl__region_row *w, const irl__region_box *a,
                             const irl__region_box *b)
{
    int k, at = -1;
    for (k = 0; k < a->buffer->rank; k++) {
        if (a->first[k] == b->first[k] && a->last[k] == b->last[k]) continue;
        if (at >= 0) return 0;
        at = k;
    }
    return at < 0 || (irl__region_le(w, a->first[at], b->first[at]) &&
                      irl__region_le(w, a->first[at], a->last[at]) &&
                      irl__region_le(w, b->first[at], b->last[at]) &&
                      irl__region_le(w, b->first[at], irl__region_plus(w, a->last[at], 1)));
}

/* a becomes the box around both. */
static int irl__region_merge(const irl__region_row *w, irl__region_box *a, const irl__region_box *b)
{
    if (b->is_exact && irl__region_within(w, a, b)) {
        *a = *b;
        return 1;
    }
    if (a->is_exact && irl__region_within(w, b, a)) return 1;
    a->is_exact = a->is_exact && b->is_exact &&
                  (irl__region_joins(w, a, b) || irl__region_joins(w, b, a));
    for (int k = 0; k < a->buffer->rank; k++) {
        a->first[k] = irl__region_extreme(w, IRL_OP_MIN, a->first[k], b->first[k]);
        a->last[k] = irl__region_extreme(w, IRL_OP_MAX, a->last[k], b->last[k]);
        if (!a->first[k] || !a->last[k]) return 0;
    }
    return 1;
}

static int irl__region_is_same(const irl__region_box *a, const irl__region_row *w)
{
    for (int k = 0; k < w->rank; k++)
        if (a->first[k] != w->first[k] || a->last[k] != w->last[k]) return 0;
    return 1;
}

static int irl__region_keep(irl__regions *r, const irl__region_row *w, int is_write)
{
    irl__region_box box;
    int             k, same = 0;
    for (k = 0; k < r->count; k++) {
        if (r->list[k].buffer != w->buffer || r->list[k].is_write != is_write) continue;
        if (irl__region_is_same(&r->list[k], w)) {
            r->list[k].is_exact |= w->is_exact;
            return 1;
        }
        if (++same == IRL__REGION_BOXES) break;
    }
    memset(&box, 0, sizeof box);
    box.buffer = w->buffer;
    box.is_write = is_write;
    box.is_exact = w->is_exact;
    box.first = IRL__COPY(w->cx, const irl_expr *, w->first, w->rank);
    box.last = IRL__COPY(w->cx, const irl_expr *, w->last, w->rank);
    if (!box.first || !box.last) return 0;
    if (same == IRL__REGION_BOXES) return irl__region_merge(w, &r->list[k], &box);
    if (!IRL__PUSH_SCRATCH(w->cx, r->list, box)) return 0;
    r->count++;
    return 1;
}

/* The boxes of one buffer become one: first those that are one without a gap. */
static int irl__region_gather(irl__regions *r, const irl__region_row *w)
{
    int merged;
    for (int round = 0; round < 2; round++) {
        do {
            merged = 0;
            for (int k = 0; k < r->count; k++)
                for (int j = k + 1; j < r->count; j++) {
                    irl__region_box *a = &r->list[k], *b = &r->list[j];
                    if (a->buffer != b->buffer || a->is_write != b->is_write) continue;
                    if (round == 0 && !(a->is_exact && b->is_exact &&
                                        (irl__region_joins(w, a, b) || irl__region_joins(w, b, a) ||
                                         irl__region_within(w, a, b) ||
                                         irl__region_within(w, b, a))))
                        continue;
                    if (!irl__region_merge(w, a, b)) return 0;
                    memmove(b, b + 1, (size_t)(r->count - j - 1) * sizeof *b);
                    r->count--;
                    j--;
                    merged = 1;
                }
        } while (merged && round == 0);
    }
    return irl__ok(w->cx);
}

static int irl__region_extents(irl__regions *r, const irl__region_row *w)
{
    for (int k = 0; k < r->count; k++) {
        irl__region_box *b = &r->list[k];
        b->extent = IRL__NEW(w->cx, const irl_expr *, b->buffer->rank);
        if (!b->extent) return 0;
        for (int axis = 0; axis < b->buffer->rank; axis++) {
            const irl_expr *e = irl__sub(w->cx, b->last[axis], b->first[axis]);
            b->extent[axis] = irl__simplify(w->an, irl__add(w->cx, e, irl_expr_index(w->cx, 1)));
            if (!b->extent[axis]) return 0;
        }
    }
    return 1;
}

/* ------------------------------------------------------------------ a part */

static int irl__region_access(irl__regions *r, irl__path *p, const irl__access *a)
{
    irl__region_row w;
    memset(&w, 0, sizeof w);
    w.cx = p->t->cx;
    w.an = p->an;
    w.path = p;
    w.part = r->part;
    w.a = a;
    w.depth = w.part ? w.part->depth + (w.part->kind != IRL__AROUND_LOOP) : 0;
    w.inner = irl__around_binders(w.cx, a->around, w.depth, &w.inner_count);
    if (!w.inner) return 0;
    /* The memory is allocated inside of the part. */
    if (w.a->allocation && w.a->allocation->depth >= w.depth) return 1;
    if (!irl__region_measure(&w)) return 0;
    if (!w.buffer) return 1;
    if (a->kind != IRL__ACCESS_OPAQUE)
        return irl__region_keep(r, &w, a->kind != IRL__ACCESS_READ);
    return irl__region_keep(r, &w, 0) && (a->only_reads || irl__region_keep(r, &w, 1));
}

int irl__regions_of(irl__regions *r, irl__path *p, const irl__around *part)
{
    irl__region_row    w;
    const irl__around *at = part && part->kind == IRL__AROUND_LOOP ? part->outer : part;
    int                k = part ? part->first : 0, end = part ? part->end : p->t->count, ok;
    memset(r, 0, sizeof *r);
    memset(&w, 0, sizeof w);
    r->part = part;
    w.cx = p->t->cx;
    w.an = p->an;
    if (!irl__path_to(p, at)) return 0;
    int bindings = irl__bindings_mark(p->an);
    int facts = irl__facts_mark(p->an);
    /* The axes of a block are what its regions speak of: of what they are bound to no more is known
       than their extents. */
    ok = !part || part->kind != IRL__AROUND_BLOCK || irl__bind_block(p->an, part->stmt->u.block);
    for (; ok && k < end; k++)
        if (!p->t->list[k].is_declared) ok = irl__region_access(r, p, &p->t->list[k]);
    ok = ok && irl__region_gather(r, &w) && irl__region_extents(r, &w);
    irl__facts_release(p->an, facts);
    irl__bindings_release(p->an, bindings);
    return ok && irl__ok(p->t->cx);
}
