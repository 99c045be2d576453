/* change_factor.c - rewrites outputs into forms that the steps understand: moves what both arms of
   a choice add out of it, and turns masks into digits.

   needs     only expressions
   promises  the same value over the integers: select(c, x + a, x + b) is x + select(c, a, b), the
             value of a let replaces its name, and x & 6 is x/2%4*2, x & ~3 is x/4*4 */
#include "change.h"

enum { IRL__FACTOR_TERMS = 48 };

/* An arm as addends, and a number. */
typedef struct irl__addends {
    int             count;
    const irl_expr *term[IRL__FACTOR_TERMS];
    int             negative[IRL__FACTOR_TERMS];
    int64_t         number;
} irl__addends;

typedef struct irl__factoring {
    irl_ctx     *cx;
    irl__ptr_map done;    /* the variable of a let to what it stands for, too */
    int          too_big; /* some part of the result has more than IRL__CHANGE_NODES nodes */
} irl__factoring;

static int irl__addends_read(irl__addends *l, const irl_expr *e, int negative)
{
    int64_t v;
    switch (e->op) {
    case IRL_OP_INT:
        if (!irl__mul64(e->u.i, negative ? -1 : 1, &v)) return 0;
        return irl__add64(l->number, v, &l->number);
    case IRL_OP_ADD:
        return irl__addends_read(l, e->a[0], negative) && irl__addends_read(l, e->a[1], negative);
    case IRL_OP_SUB:
        return irl__addends_read(l, e->a[0], negative) && irl__addends_read(l, e->a[1], !negative);
    default: break;
    }
    if (l->count == IRL__FACTOR_TERMS) return 0;
    l->term[l->count] = e;
    l->negative[l->count++] = negative;
    return 1;
}

static const irl_expr *irl__addends_add(irl_ctx *cx, const irl_expr *sum, const irl_expr *term,
                                        int negative)
{
    if (!sum && negative) return irl_expr_op1(cx, IRL_OP_NEG, term);
    return sum ? irl_expr_op2(cx, negative ? IRL_OP_SUB : IRL_OP_ADD, sum, term) : term;
}

static const irl_expr *irl__addends_sum(irl_ctx *cx, const irl__addends *l)
{
    const irl_expr *e = NULL;
    for (int k = 0; k < l->count; k++) e = irl__addends_add(cx, e, l->term[k], l->negative[k]);
    if (!e) return irl_expr_index(cx, l->number);
    return l->number ? irl__add(cx, e, irl_expr_index(cx, l->number)) : e;
}

/* Takes out of both what both have; *common grows. */
static void irl__addends_share(irl_ctx *cx, irl__addends *a, irl__addends *b,
                               const irl_expr **common)
{
    int i, k, n = 0;
    for (i = 0; i < a->count; i++) {
        for (k = 0; k < b->count; k++)
            if (b->term[k] == a->term[i] && b->negative[k] == a->negative[i]) break;
        if (k == b->count) {
            a->term[n] = a->term[i];
            a->negative[n++] = a->negative[i];
            continue;
        }
        *common = irl__addends_add(cx, *common, a->term[i], a->negative[i]);
        b->count--;
        b->term[k] = b->term[b->count];
        b->negative[k] = b->negative[b->count];
    }
    a->count = n;
}

static const irl_expr *irl__factor_choice(irl__factoring *f, const irl_expr *e)
{
    const irl_expr *common = NULL, *arm[3];
    irl__addends    a, b;
    a.count = b.count = 0;
    a.number = b.number = 0;
    if (!irl__type_is_index(e->type) || e->size > IRL__CHANGE_NODES) return e;
    if (!irl__addends_read(&a, e->a[1], 0) || !irl__addends_read(&b, e->a[2], 0)) return e;
    irl__addends_share(f->cx, &a, &b, &common);
    if (!common) return e;
    arm[0] = e->a[0];
    arm[1] = irl__addends_sum(f->cx, &a);
    arm[2] = irl__addends_sum(f->cx, &b);
    if (arm[1] == arm[2]) return irl__add(f->cx, common, arm[1]);
    return irl__add(f->cx, common, irl__expr_op(f->cx, IRL_OP_SELECT, 3, arm, irl__nowhere()));
}

static const irl_expr *irl__factor_all(irl__factoring *f, const irl_expr *e)
{
    const irl_expr *a[3], *done = (const irl_expr *)irl__ptr_map_get(&f->done, e);
    int             changed = 0;
    if (done) return done;
    if (f->too_big || e->count == 0 || e->count > 3) return e;
    if (e->op == IRL_OP_LET) {
        /* Arms that a let shares are shared nodes, each looked at once. */
        const irl_expr *value = irl__factor_all(f, e->a[1]);
        if (!value || !irl__ptr_map_put(f->cx, &f->done, e->a[0], value)) return NULL;
        return irl__factor_all(f, e->a[2]);
    }
    for (uint32_t k = 0; k < e->count; k++) {
        a[k] = irl__factor_all(f, e->a[k]);
        if (!a[k]) return NULL;
        changed |= a[k] != e->a[k];
    }
    done = changed ? irl__expr_with(f->cx, e, a) : e;
    if (done && done->size > IRL__CHANGE_NODES) return f->too_big = 1, e;
    if (done && (done->op == IRL_OP_SELECT || done->op == IRL_OP_IF_THEN_ELSE))
        done = irl__factor_choice(f, done);
    return done && irl__ptr_map_put(f->cx, &f->done, e, done) ? done : NULL;
}

/* Is there a mask in e; or a choice, or a let? */
static int irl__factor_has_work(const irl_expr *e, int masks)
{
    if (masks ? e->op == IRL_OP_BITAND
              : e->op == IRL_OP_SELECT || e->op == IRL_OP_IF_THEN_ELSE || e->op == IRL_OP_LET)
        return 1;
    for (uint32_t k = 0; k < e->count; k++)
        if (e->a[k]->count && irl__factor_has_work(e->a[k], masks)) return 1;
    return 0;
}

const irl_expr *irl__change_factored(irl_ctx *cx, const irl_expr *e)
{
    const irl_expr *given = e;
    irl__factoring  f;
    if (e->size > IRL__CHANGE_NODES || !irl__factor_has_work(e, 0)) return e;
    irl__arena_mark mark = irl__scratch_begin(cx);
    memset(&f, 0, sizeof f);
    f.cx = cx;
    e = irl__factor_all(&f, e);
    irl__scratch_end(cx, mark);
    return e && f.too_big ? given : e;
}

/* ------------------------------------------------------------------ masks */

enum { IRL__UNMASK_RUNS = 8 };

/* x & m as digits of x, one for each run of ones in m; the highest of a negative m has no end.
   Floor division is exact for negative x too. NULL: there are many. */
static const irl_expr *irl__unmask_one(irl_ctx *cx, const irl_expr *x, int64_t m)
{
    uint64_t        left = (uint64_t)m;
    const irl_expr *all = NULL, *digit;
    int             low, count;
    for (int runs = 0; left; runs++) {
        for (low = 0; !(left >> low & 1);) low++;
        for (count = 1; low + count < 64 && (left >> (low + count) & 1);) count++;
        if (runs == IRL__UNMASK_RUNS || low > 62 || (count > 62 && low == 0)) return NULL;
        digit = low ? irl__floordiv(cx, x, irl_expr_index(cx, INT64_C(1) << low)) : x;
        if (low + count < 64)
            digit = irl__floormod(cx, digit, irl_expr_index(cx, INT64_C(1) << count));
        if (low) digit = irl__mul(cx, digit, irl_expr_index(cx, INT64_C(1) << low));
        all = all ? irl__add(cx, digit, all) : digit;
        if (low + count == 64) break;
        left = left >> (low + count) << (low + count);
    }
    return all;
}

/* A power of two that divides e everywhere. */
static int64_t irl__unmask_step(const irl_expr *e)
{
    if (e->op != IRL_OP_MUL || e->a[1]->op != IRL_OP_INT || e->a[1]->u.i < 1) return 1;
    return e->a[1]->u.i & -e->a[1]->u.i;
}

/* 0 <= e < limit: a remainder, or a number less one. */
static int irl__unmask_is_below(const irl_expr *e, int64_t limit)
{
    int64_t most = limit;
    if (e->op == IRL_OP_SUB && e->a[0]->op == IRL_OP_INT) {
        most = e->a[0]->u.i < limit ? e->a[0]->u.i + 1 : 0;
        e = e->a[1];
    }
    return e->op == IRL_OP_FLOORMOD && e->a[1]->op == IRL_OP_INT && e->a[1]->u.i > 0 &&
           e->a[1]->u.i <= most;
}

static const irl_expr *irl__unmask(irl__rewriter *r, const irl_expr *e)
{
    const irl_expr *a, *digits = NULL;
    if (!irl__work(r->cx, 16)) return NULL;
    a = irl__rewrite_expr_children(r, e);
    if (a && a->op == IRL_OP_BITNOT && a->a[0]->op == IRL_OP_INT && irl__type_is_index(a->type))
        return irl_expr_index(r->cx, ~a->a[0]->u.i);
    if (a && a->op == IRL_OP_BITOR && irl__type_is_index(a->type) && a->type.lanes == 1 &&
        (irl__unmask_is_below(a->a[1], irl__unmask_step(a->a[0])) ||
         irl__unmask_is_below(a->a[0], irl__unmask_step(a->a[1]))))
        return irl__add(r->cx, a->a[0], a->a[1]);
    if (!a || a->op != IRL_OP_BITAND || !irl__type_is_index(a->type) || a->type.lanes != 1)
        return a;
    for (int k = 0; k < 2 && !digits; k++)
        if (a->a[k]->op == IRL_OP_INT) digits = irl__unmask_one(r->cx, a->a[1 - k], a->a[k]->u.i);
    return digits || !irl__ok(r->cx) ? digits : a;
}

const irl_expr *irl__change_unmasked(irl_ctx *cx, const irl_expr *e)
{
    if (e->size > IRL__CHANGE_NODES || !irl__factor_has_work(e, 1)) return e;
    irl__rewriter   r = irl__rewriter_make(cx, NULL, irl__unmask, NULL);
    const irl_expr *x = irl__rewrite_expr(&r, e);
    return x && x->size > e->size * 4 + 64 ? e : x;
}
