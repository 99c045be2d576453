/* solve_known.c - the equations of a solution, and what follows from them without a rule: the value
   of an expression whose parts are known.

   needs     sums, ranges
   promises  a value is made of the given values and of parameters alone

     known terms      a + k = V, k known                          a = V - k
     known remainder  a % m = V, e divides m                      a % e = V % e */
#include "solve.h"

enum { IRL__SOLVE_VALUE_LIMIT = 4096 };

int irl__solve_begin(irl__solution *s, irl__analyzer *an, int unknown_count,
                     const irl_expr *const *unknowns)
{
    memset(s, 0, sizeof *s);
    s->an = an;
    s->unknown_count = unknown_count;
    s->unknowns = unknowns;
    s->capacity = 24;
    s->equations = (irl__equation *)irl__scratch_alloc(an->cx, 24, sizeof *s->equations);
    return s->equations != NULL;
}

irl__equation *irl__solve_find(const irl__solution *s, const irl_expr *what)
{
    for (int k = 0; k < s->count; k++)
        if (s->equations[k].what == what) return &s->equations[k];
    return NULL;
}

int irl__solve_append(irl__solution *s, const irl_expr *what, const irl_expr *value)
{
    irl__equation *grown;
    if (s->count >= IRL__MOST_EQUATIONS || irl__solve_find(s, what)) return 0;
    if (s->count == s->capacity) { /* in the arena: the caller may have opened an inner scope */
        grown =
            (irl__equation *)irl__alloc_array(s->an->cx, (size_t)s->capacity * 2, sizeof *grown);
        if (!grown) return 0;
        memcpy(grown, s->equations, (size_t)s->count * sizeof *grown);
        s->equations = grown;
        s->capacity *= 2;
    }
    s->equations[s->count].what = what;
    s->equations[s->count].value = value;
    s->equations[s->count].done = 0;
    s->count++;
    return 1;
}

int irl__solve_learn(irl__solution *s, const irl_expr *what, const irl_expr *value)
{
    what = irl__simplify_node(s->an, what);
    value = irl__simplify_node(s->an, value);
    return what && value && what->op != IRL_OP_INT && irl__solve_append(s, what, value);
}

int irl__solve_add(irl__solution *s, const irl_expr *what, const irl_expr *value)
{
    (void)irl__solve_learn(s, what, value);
    return irl__ok(s->an->cx);
}

/* ------------------------------------------------------------------ what is known */

static int irl__solve_is_unknown(const irl__solution *s, const irl_expr *var)
{
    for (int k = 0; k < s->unknown_count; k++)
        if (s->unknowns[k] == var) return 1;
    return 0;
}

/* What is a sum of other terms than itself. A product of variables is not: it goes by its factors.
   Nor is arithmetic that may wrap, as that of every type but index: it goes by its operands. */
static int irl__solve_goes_by_sum(const irl_expr *e)
{
    if (!irl__type_is_index(e->type)) return 0;
    if (e->op == IRL_OP_MUL) return e->a[0]->op == IRL_OP_INT || e->a[1]->op == IRL_OP_INT;
    return e->op == IRL_OP_ADD || e->op == IRL_OP_SUB || e->op == IRL_OP_NEG;
}

const irl_expr *irl__solve_value(irl__solution *s, const irl_expr *e)
{
    const irl_expr      *operands[3];
    if (e->op == IRL_OP_INT) return e;
    const irl__equation *q = irl__solve_find(s, e);
    if (q) return q->value;
    /* a parameter is given */
    if (e->op == IRL_OP_VAR) return irl__solve_is_unknown(s, e) ? NULL : e;
    if (e->count == 0 || e->count > 3 || e->size > IRL__SOLVE_VALUE_LIMIT ||
        (e->flags & (IRL__HAS_MEMORY | IRL__HAS_LET)))
        return NULL;
    if (irl__solve_goes_by_sum(e)) {
        irl__sum        u;
        const irl_expr *known;
        int             ok = irl__solve_parts(s, e, &u, &known) && u.count == 0;
        irl__sum_end(s->an, &u);
        return ok ? known : NULL;
    }
    for (uint32_t k = 0; k < e->count; k++) {
        operands[k] = irl__solve_value(s, e->a[k]);
        if (operands[k]) continue;
        /* m % e where every part of m is known modulo e. */
        if (!(e->op == IRL_OP_FLOORMOD && k == 0 && irl__type_is_index(e->type))) return NULL;
        irl__sum        u;
        const irl_expr *known, *v = NULL, *m = e->a[1];
        if (m->op != IRL_OP_INT || m->u.i <= 0) return NULL;
        if (irl__solve_parts_modulo(s, e->a[0], m, &u, &known) && u.count == 0)
            v = irl__solve_divided(s->an, IRL_OP_FLOORMOD, known, m);
        irl__sum_end(s->an, &u);
        return v;
    }
    return irl__simplify_node(s->an, irl__make_with(s->an, e, operands));
}

int irl__solve_parts(irl__solution *s, const irl_expr *e, irl__sum *u, const irl_expr **known)
{
    irl__analyzer  *an = s->an;
    int             i, ok;
    *u = irl__sum_begin(an, e->type);
    *known = NULL;
    if (!irl__sum_add_done(an, u, e, 1)) return 0;
    irl__sum_compact(an, u);
    int64_t constant = u->constant;
    u->constant = 0;
    irl__sum k = irl__sum_begin(an, e->type);
    k.constant = constant;
    for (i = 0, ok = 1; ok && i < u->count; i++) {
        irl__term       t = an->terms[u->first + i];
        const irl_expr *v = irl__solve_value(s, t.atom);
        if (!v) continue;
        an->terms[u->first + i].coef = 0;
        ok = irl__sum_add_done(an, &k, v, t.coef);
    }
    if (ok && irl__sum_merge(an, &k)) *known = irl__sum_emit(an, &k);
    irl__sum_end(an, &k);
    irl__sum_compact(an, u);
    return *known != NULL;
}

/* ------------------------------------------ building values: a*k + b*l + c, (...)/d, (...)%d */

const irl_expr *irl__solve_linear(irl__analyzer *an, const irl_expr *a, int64_t k,
                                  const irl_expr *b, int64_t l, int64_t c)
{
    irl__sum        s = irl__sum_begin(an, a->type);
    const irl_expr *e = NULL;
    s.constant = c;
    if (irl__sum_add_done(an, &s, a, k) && (!b || irl__sum_add_done(an, &s, b, l)) &&
        irl__sum_merge(an, &s))
        e = irl__sum_emit(an, &s);
    irl__sum_end(an, &s);
    return e;
}

const irl_expr *irl__solve_scaled(irl__analyzer *an, const irl_expr *a, const irl_expr *d,
                                  const irl_expr *b)
{
    if (d->op == IRL_OP_INT) return irl__solve_linear(an, a, d->u.i, b, 1, 0);
    return irl__simplify_node(an, irl__make2(an, IRL_OP_ADD, irl__make2(an, IRL_OP_MUL, a, d), b));
}

const irl_expr *irl__solve_divided(irl__analyzer *an, irl_op op, const irl_expr *a,
                                   const irl_expr *d)
{
    if (d->op == IRL_OP_INT) return irl__solve_shifted(an, op, a, 0, d->u.i);
    return irl__simplify_node(an, irl__make2(an, op, a, d));
}

const irl_expr *irl__solve_shifted(irl__analyzer *an, irl_op op, const irl_expr *a, int64_t c,
                                   int64_t d)
{
    const irl_expr *e = NULL;
    if (!a) return NULL;
    irl__sum s = irl__sum_begin(an, a->type);
    s.constant = c;
    if (irl__sum_add_done(an, &s, a, 1) && irl__sum_merge(an, &s))
        e = irl__sum_by(an, op, &s, d);
    irl__sum_end(an, &s);
    return e;
}

/* The value of atom modulo e, where some remainder of it is known: a % m with e a divisor of m.
   NULL if none. */
static const irl_expr *irl__solve_value_modulo(irl__solution *s, const irl_expr *atom, int64_t e,
                                               int depth)
{
    for (int k = 0; k < s->count; k++) {
        const irl_expr *w = s->equations[k].what;
        if (w->op == IRL_OP_FLOORMOD && w->a[0] == atom && w->a[1]->op == IRL_OP_INT &&
            w->a[1]->u.i > 0 && w->a[1]->u.i % e == 0)
            return s->equations[k].value;
    }
    /* a%m = a - m*(a/m) */
    if (atom->op == IRL_OP_FLOORMOD && atom->a[1]->op == IRL_OP_INT && atom->a[1]->u.i > 0 &&
        depth < 4) {
        const irl_expr *q =
            irl__solve_shifted(s->an, IRL_OP_FLOORDIV, atom->a[0], 0, atom->a[1]->u.i);
        q = q ? irl__solve_value(s, q) : NULL;
        const irl_expr *r = q ? irl__solve_value_modulo(s, atom->a[0], e, depth + 1) : NULL;
        return r ? irl__solve_linear(s->an, r, 1, q, -atom->a[1]->u.i, 0) : NULL;
    }
    return NULL;
}

int irl__solve_parts_modulo(irl__solution *s, const irl_expr *m, const irl_expr *e,
                            irl__sum *u, const irl_expr **known)
{
    if (!irl__solve_parts(s, m, u, known)) return 0;
    for (int i = 0; i < u->count && *known && e->op == IRL_OP_INT; i++) {
        irl__term       t = s->an->terms[u->first + i];
        const irl_expr *v = irl__solve_value_modulo(s, t.atom, e->u.i, 0);
        if (!v) continue;
        *known = irl__solve_linear(s->an, *known, 1, v, t.coef, 0);
        s->an->terms[u->first + i].coef = 0;
    }
    irl__sum_compact(s->an, u);
    return *known != NULL;
}

int irl__solve_width(irl__interval r, int64_t *width)
{
    return r.lo != INT64_MIN && r.hi != INT64_MAX && irl__sub64(r.hi, r.lo, width) &&
           irl__add64(*width, 1, width);
}

int irl__solve_within(irl__analyzer *an, const irl_expr *e, const irl_expr *limit)
{
    if (!e) return 0;
    irl__sum s = irl__sum_begin(an, e->type);
    int      ok = irl__sum_add_done(an, &s, e, 1) && irl__sum_nonnegative(an, &s);
    irl__sum_end(an, &s);
    if (!ok) return 0;
    s = irl__sum_begin(an, e->type);
    s.constant = -1;
    ok = irl__sum_add_done(an, &s, limit, 1) && irl__sum_add_done(an, &s, e, -1) &&
         irl__sum_nonnegative(an, &s);
    irl__sum_end(an, &s);
    return ok;
}
