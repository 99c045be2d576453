/* vectors.c - the forms in which a target has vectors.

   needs     target.c, ir
   promises  the same answer for the passes that make vectors legal (legalize, legalize_lanes), for
             the verifier (check_target) and for the printers

   THE FORMS. Where a row has widths, in each of them:
     an operator   lane by lane, of operands that have forms
     a broadcast   of a scalar
     a shuffle     of one vector in any order (a swizzle), or of operands end to end
     a lane        of a number that is a constant; of any number where the vector is a variable
     a load or     at an index that is a scalar, or as far as the row's ramps go: lanes that lie one
     store         after the other
   A serial row with vectors, whose language is that of gcc and clang, has one more:
     a shuffle     of two vectors of 8 or 16 bytes in any order, as many lanes as each of them
   Nothing else: no ramp that is a value, no lanes of several vectors mixed. A row without vectors
   has none of these; where it is serial, its language takes the bits of several scalars together,
   as(t, shuffle(...)), and of one scalar apart, lane(as(t, a), k). */
#include "target.h"

/* A vector that is no value of its own, for the bits of scalars: what it is made of. */
static const irl_expr *irl__form_of_bits(const irl_target *t, const irl_expr *e)
{
    const irl_expr *a = e->count ? e->a[0] : NULL;
    if (!t->serial || !a || a->type.lanes == 1) return NULL;
    if (e->op == IRL_OP_REINTERPRET && a->op == IRL_OP_SHUFFLE && irl__shuffle_joins(a) &&
        a->count == a->type.lanes)
        return a;
    return e->op == IRL_OP_LANE && e->a[1]->op == IRL_OP_INT && a->op == IRL_OP_REINTERPRET &&
                   a->a[0]->type.lanes == 1
               ? a
               : NULL;
}

int irl__target_has_picks(const irl_target *t) { return t->serial && t->ramps && t->widths > 1; }

int irl__target_gathers(const irl_target *t, irl_type type)
{
    return t->widths > 1 && t->ramps && type.scalar != IRL_BOOL &&
           irl__type_info(type)->bytes == (irl__target_has_picks(t) ? 1 : 4);
}

int irl__is_pick(const irl_expr *e)
{
    return e->op == IRL_OP_SHUFFLE && e->count == 2 && e->type.lanes >= 8 &&
           irl__type_info(e->type)->bytes == 1 && e->type.scalar != IRL_BOOL &&
           irl_type_equal(e->a[0]->type, e->type) && irl_type_equal(e->a[1]->type, e->type);
}

static int irl__form_is_one(const irl_target *t, const irl_expr *e)
{
    switch (e->op) {
    case IRL_OP_RAMP: return 0;
    case IRL_OP_BROADCAST: return e->a[0]->type.lanes == 1;
    case IRL_OP_SHUFFLE:
        return e->type.lanes > 1 &&
               ((e->count == 1 && e->a[0]->type.lanes > 1) || irl__shuffle_joins(e) ||
                (irl__target_has_picks(t) && irl__is_pick(e)));
    case IRL_OP_LANE:
        return e->a[0]->type.lanes > 1 &&
               (e->a[1]->op == IRL_OP_INT ? e->a[1]->u.i >= 0 &&
                                                e->a[1]->u.i < (int64_t)e->a[0]->type.lanes
                                          : e->a[0]->op == IRL_OP_VAR);
    default: return 1;
    }
}

int irl__target_has_index(const irl_target *t, const irl_expr *index)
{
    return !index || index->type.lanes == 1 || (t->ramps && irl__index_is_run(index));
}

/* Operand k of a load, or the last index of a store: a run is no value. */
static const irl_expr *irl__form_lacks_index(const irl_target *t, const irl_expr *index)
{
    return index->op == IRL_OP_RAMP && irl__target_has_index(t, index)
               ? irl__target_lacks(t, index->a[0])
               : irl__target_lacks(t, index);
}

const irl_expr *irl__target_lacks(const irl_target *t, const irl_expr *e)
{
    const irl_expr *bits, *bad = NULL;
    if (!(e->flags & IRL__HAS_LANES) || e->type.is_pointer) return NULL;
    bits = irl__form_of_bits(t, e);
    if (!irl__target_has_vector(t, e->type.lanes) || (!bits && !irl__form_is_one(t, e))) return e;
    if (bits) e = bits;
    for (uint32_t k = 0; k < e->count && !bad; k++)
        bad = e->op == IRL_OP_LOAD ? irl__form_lacks_index(t, e->a[k])
                                   : irl__target_lacks(t, e->a[k]);
    return bad;
}

/* ------------------------------------------------------------------ a function */

typedef struct irl__form_check {
    const irl_target *target;
    const irl_expr   *bad; /* the first that has no form, and the statement that it is in */
    irl_loc           where;
} irl__form_check;

static int irl__form_see_expr(irl__visitor *v, const irl_expr *e)
{
    irl__form_check *c = (irl__form_check *)v->user;
    if (!c->bad) c->bad = irl__target_lacks(c->target, e);
    return 0;
}

/* The index of a store is no value. */
static int irl__form_see_stmt(irl__visitor *v, const irl_stmt *s)
{
    irl__form_check *c = (irl__form_check *)v->user;
    if (c->bad) return 0;
    if (s->loc.source) c->where = s->loc;
    if (s->kind != IRL__STORE) return 1;
    for (int k = 0; k < s->u.store.buffer->rank && !c->bad; k++)
        c->bad = irl__form_lacks_index(c->target, s->u.store.indices[k]);
    (void)irl__form_see_expr(v, s->u.store.value);
    return 0;
}

const irl_expr *irl__target_lacks_of(const irl_target *t, const irl_func *f, irl_loc *where)
{
    irl__form_check c;
    irl__visitor    v = irl__visitor_make(&c, irl__form_see_expr, irl__form_see_stmt);
    memset(&c, 0, sizeof c);
    c.target = t;
    for (int k = 0; k < f->param_count && !c.bad; k++) {
        c.where = f->params[k].loc;
        if (!f->params[k].buffer) (void)irl__form_see_expr(&v, f->params[k].var);
    }
    irl__visit_stmt(&v, f->body);
    *where = c.where;
    return c.bad;
}

int irl__target_has_vectors_of(const irl_target *t, const irl_func *f)
{
    irl_loc         where;
    const irl_expr *bad = irl__target_lacks_of(t, f, &where);
    if (!bad) return 1;
    if (!irl__target_has_vector(t, bad->type.lanes))
        return irl__fail(f->cx, IRL_ERROR_UNSUPPORTED, where,
                         "a vector of %u lanes has no type on target '%s'",
                         (uint64_t)bad->type.lanes, t->name);
    return irl__fail(f->cx, IRL_ERROR_UNSUPPORTED, where,
                     "target '%s' has no form for %s; run legalize and legalize_lanes", t->name,
                     irl_expr_text(f->cx, bad));
}
