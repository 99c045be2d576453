/* explain.c - which rules of rules.h turn one expression into another.

   needs     rules.h, its texts read as patterns; the analyzer for what a rule asks of ranges
   promises  a rule that is named matches a part of the expression, its conditions between constants
             were computed, its facts proved, and its result for that part is in the next
             expression. The simplifier is not consulted
   cost      a few thousand matches: for proofs that people read, not for passes

   A sum matches term by term in any order; a letter alone at its end matches all remaining terms.
   Constants that a rule makes are computed. Two sums of the same terms in another order are the
   same. */
#include "proof.h"

enum {
    IRL__EXPLAIN_TERMS = 16,      /* of a sum that is matched */
    IRL__EXPLAIN_CANDIDATES = 12, /* one step from an expression */
    IRL__EXPLAIN_SIZE = 400       /* nodes of an expression that is worth it */
};

/* x, y, z and n stand for expressions, n for one that is at least 1; the rest for constants. */
static const char        irl__explain_letters[] = "xyznacdgkm";
enum { IRL__LETTER_N = 3, IRL__LETTER_A = 4 };

#define IRL_RULE(name, before, after, constants, facts) \
    { #name, before, after, constants, facts, NULL, NULL, NULL, NULL },
static const irl__proof_rule irl__explain_table[] = {
#include "../arith/rules.h"
};

/* ------------------------------------------------------------------ reading the table */

static const irl_expr *irl__explain_read(irl__proof_rules *b, const char *text)
{
    return text[0] ? irl__parse_expr(b->cx, text, IRL__LAW_LETTERS, b->letters) : NULL;
}

int irl__proof_rules_open(irl__proof_rules *b, irl_ctx *cx)
{
    char name[2] = { 0, 0 };
    int  k;
    memset(b, 0, sizeof *b);
    b->cx = cx;
    b->list = IRL__SCRATCH(cx, irl__proof_rule, IRL__COUNTOF(irl__explain_table));
    if (!b->list) return 0;
    memcpy(b->list, irl__explain_table, sizeof irl__explain_table);
    for (k = 0; k < IRL__LAW_LETTERS; k++) {
        name[0] = irl__explain_letters[k];
        b->letters[k] = irl_expr_var(cx, name, irl__type_index());
    }
    for (k = 0; k < (int)IRL__COUNTOF(irl__explain_table) && irl__ok(cx); k++) {
        irl__proof_rule *r = &b->list[k];
        r->from = irl__explain_read(b, r->before);
        r->to = irl__explain_read(b, r->after);
        r->holds = irl__explain_read(b, r->constants);
        r->known = irl__explain_read(b, r->facts);
    }
    b->count = k;
    return irl__ok(cx);
}

/* ------------------------------------------------------------------ sums of signed terms */

typedef struct irl__explain_sum {
    int             count;
    const irl_expr *term[IRL__EXPLAIN_TERMS];
    /* 1 or -1; a factor where products are multiplied out */
    int64_t sign[IRL__EXPLAIN_TERMS];
    int64_t constant;
} irl__explain_sum;

/* False if there are too many. `out`: sums times constants are multiplied out. */
static int irl__explain_flatten(const irl_expr *e, int64_t factor, int out, irl__explain_sum *s)
{
    int64_t v;
    if (factor == INT64_MIN) return 0;
    if (e->op == IRL_OP_ADD || e->op == IRL_OP_SUB)
        return irl__explain_flatten(e->a[0], factor, out, s) &&
               irl__explain_flatten(e->a[1], e->op == IRL_OP_SUB ? -factor : factor, out, s);
    if (e->op == IRL_OP_INT)
        return irl__mul64(e->u.i, factor, &v) && irl__add64(s->constant, v, &s->constant);
    if (out && e->op == IRL_OP_MUL && e->a[1]->op == IRL_OP_INT)
        return irl__mul64(e->a[1]->u.i, factor, &v) && irl__explain_flatten(e->a[0], v, out, s);
    if (s->count == IRL__EXPLAIN_TERMS) return 0;
    s->term[s->count] = e;
    s->sign[s->count++] = factor;
    return 1;
}

/* The terms that are not in `used`, positive ones first, and what is left of the constant. */
static const irl_expr *irl__explain_rest(irl_ctx *cx, const irl__explain_sum *s, uint32_t used,
                                         int64_t constant)
{
    const irl_expr *e = NULL;
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < s->count; k++) {
            if ((used >> k) & 1 || (s->sign[k] > 0) != (pass == 0)) continue;
            if (e) e = irl_expr_op2(cx, pass ? IRL_OP_SUB : IRL_OP_ADD, e, s->term[k]);
            else
                e = pass ? irl_expr_op2(cx, IRL_OP_SUB, irl_expr_index(cx, 0), s->term[k])
                         : s->term[k];
        }
    if (!e) return irl_expr_index(cx, constant);
    if (constant == 0) return e;
    if (constant == INT64_MIN || constant > 0)
        return irl_expr_op2(cx, IRL_OP_ADD, e, irl_expr_index(cx, constant));
    return irl_expr_op2(cx, IRL_OP_SUB, e, irl_expr_index(cx, -constant));
}

static int irl__explain_same(const irl_expr *a, const irl_expr *b);

static int irl__explain_same_sum(const irl_expr *a, const irl_expr *b)
{
    irl__explain_sum x, y;
    uint32_t         used = 0;
    int              j;
    memset(&x, 0, sizeof x);
    memset(&y, 0, sizeof y);
    if (!irl__explain_flatten(a, 1, 1, &x) || !irl__explain_flatten(b, 1, 1, &y) ||
        x.count != y.count || x.constant != y.constant)
        return 0;
    for (int k = 0; k < x.count; k++) {
        for (j = 0; j < y.count; j++)
            if (!((used >> j) & 1) && x.sign[k] == y.sign[j] &&
                irl__explain_same(x.term[k], y.term[j]))
                break;
        if (j == y.count) return 0;
        used |= UINT32_C(1) << j;
    }
    return 1;
}

static int irl__explain_commutes(irl_op op)
{
    return op == IRL_OP_MUL || op == IRL_OP_MIN || op == IRL_OP_MAX || op == IRL_OP_EQ ||
           op == IRL_OP_NE || op == IRL_OP_AND || op == IRL_OP_OR || op == IRL_OP_BITAND ||
           op == IRL_OP_BITOR || op == IRL_OP_BITXOR;
}

static int irl__explain_is_sum(const irl_expr *e)
{
    if (e->op == IRL_OP_MUL && e->a[1]->op == IRL_OP_INT) e = e->a[0];
    return e->op == IRL_OP_ADD || e->op == IRL_OP_SUB;
}

/* Equal up to the order of terms and operands, sums times constants, and constants that are
   added. */
static int irl__explain_same(const irl_expr *a, const irl_expr *b)
{
    if (a == b) return 1;
    if (irl__explain_is_sum(a) || irl__explain_is_sum(b))
        return irl__type_is_index(a->type) && irl__type_is_index(b->type) &&
               irl__explain_same_sum(a, b);
    if (a->op != b->op || a->count != b->count || a->count == 0 || a->u.i != b->u.i) return 0;
    if (a->count == 2 && irl__explain_commutes((irl_op)a->op) &&
        irl__explain_same(a->a[0], b->a[1]) && irl__explain_same(a->a[1], b->a[0]))
        return 1;
    for (uint32_t k = 0; k < a->count; k++)
        if (!irl__explain_same(a->a[k], b->a[k])) return 0;
    return 1;
}

/* ------------------------------------------------------------------ matching */

typedef struct irl__explain_match {
    const irl__proof_rules *rules;
    irl__analyzer          *an;
    const irl_expr         *bound[IRL__LAW_LETTERS];
} irl__explain_match;

static int irl__explain_matches(irl__explain_match *m, const irl_expr *p, const irl_expr *e);

static int irl__explain_letter(const irl__explain_match *m, const irl_expr *p)
{
    for (int k = 0; p->op == IRL_OP_VAR && k < IRL__LAW_LETTERS; k++)
        if (m->rules->letters[k] == p) return k;
    return -1;
}

static int irl__explain_bind(irl__explain_match *m, int letter, const irl_expr *e)
{
    if (m->bound[letter]) return irl__explain_same(m->bound[letter], e);
    if (letter >= IRL__LETTER_A && e->op != IRL_OP_INT) return 0;
    if (letter == IRL__LETTER_N &&
        !irl__prove(m->an, irl_expr_op2(m->rules->cx, IRL_OP_GE, e,
                                            irl_expr_index(m->rules->cx, 1))))
        return 0;
    m->bound[letter] = e;
    return 1;
}

/* Whether p is made of constants alone. */
static int irl__explain_is_constant(const irl__explain_match *m, const irl_expr *p)
{
    if (p->op == IRL_OP_INT) return 1;
    if (p->op == IRL_OP_VAR) return irl__explain_letter(m, p) >= IRL__LETTER_A;
    for (uint32_t k = 0; k < p->count; k++)
        if (!irl__explain_is_constant(m, p->a[k])) return 0;
    return p->count > 0;
}

static const irl_expr *irl__explain_make(const irl__explain_match *m, const irl_expr *p);

static int irl__explain_solve(irl__explain_match *m, const irl_expr *p, int64_t value);

/* A multiple, a*c, that is one of two constants in a sum: as much of the value as it can be, the
   rest being a remainder. */
static int irl__explain_split(irl__explain_match *m, const irl_expr *p, int64_t *value)
{
    for (int k = 0; p->op == IRL_OP_MUL && k < 2; k++) {
        const irl_expr *made = irl__explain_make(m, p->a[k]);
        int64_t         rest;
        if (!made || made->op != IRL_OP_INT || made->u.i <= 0) continue;
        if (!irl__floormod64(*value, made->u.i, &rest) ||
            !irl__explain_solve(m, p->a[1 - k], (*value - rest) / made->u.i))
            return 0;
        *value = rest;
        return 1;
    }
    return 0;
}

/* p == value, where at most one letter of p has no value yet: a, a*c, c*a or 0 - c. */
static int irl__explain_solve(irl__explain_match *m, const irl_expr *p, int64_t value)
{
    if (irl__explain_letter(m, p) >= 0)
        return irl__explain_bind(m, irl__explain_letter(m, p), irl_expr_index(m->rules->cx, value));
    const irl_expr *made = irl__explain_make(m, p);
    if (made) return irl__is_int(made, value);
    if (p->op == IRL_OP_SUB && irl__is_int(p->a[0], 0) && value != INT64_MIN)
        return irl__explain_solve(m, p->a[1], -value);
    if (p->op == IRL_OP_ADD)
        return irl__explain_split(m, p->a[0], &value) && irl__explain_solve(m, p->a[1], value);
    for (int k = 0; p->op == IRL_OP_MUL && k < 2; k++) {
        made = irl__explain_make(m, p->a[k]);
        if (!made || made->op != IRL_OP_INT || made->u.i == 0 || made->u.i == -1 ||
            value % made->u.i != 0)
            continue;
        return irl__explain_solve(m, p->a[1 - k], value / made->u.i);
    }
    return 0;
}

/* The terms of a pattern from number `at` on. What is last and stands for any expression takes the
   rest. */
static int irl__explain_terms(irl__explain_match *m, const irl__explain_sum *p, int at,
                              const irl__explain_sum *s, uint32_t used, int64_t constant)
{
    irl__explain_match saved = *m;
    if (at == p->count) return used == (UINT32_C(1) << s->count) - 1 && constant == p->constant;
    int letter = irl__explain_letter(m, p->term[at]);
    if (at + 1 == p->count && p->constant == 0 && letter >= 0 && letter < IRL__LETTER_N &&
        p->sign[at] > 0) {
        const irl_expr *rest = irl__explain_rest(m->rules->cx, s, used, constant);
        return rest && irl__explain_bind(m, letter, rest);
    }
    if (irl__explain_is_constant(m, p->term[at]) && constant != INT64_MIN) {
        if (at + 1 < p->count && p->sign[at] > 0 && p->constant == 0 &&
            irl__explain_is_constant(m, p->term[at + 1]) &&
            irl__explain_split(m, p->term[at], &constant))
            return irl__explain_terms(m, p, at + 1, s, used, constant);
        *m = saved;
        if (irl__explain_solve(m, p->term[at], (p->sign[at] > 0 ? constant : -constant)) &&
            irl__explain_terms(m, p, at + 1, s, used, p->constant))
            return 1;
        *m = saved;
        return 0;
    }
    for (int k = 0; k < s->count; k++) {
        if ((used >> k) & 1 || s->sign[k] != p->sign[at]) continue;
        if (irl__explain_matches(m, p->term[at], s->term[k]) &&
            irl__explain_terms(m, p, at + 1, s, used | UINT32_C(1) << k, constant))
            return 1;
        *m = saved;
    }
    return 0;
}

/* Terms that say most first: products and quotients, constants, what is subtracted, letters. */
static int irl__explain_rank(const irl__explain_match *m, const irl__explain_sum *p, int k)
{
    if (irl__explain_is_constant(m, p->term[k])) return 1;
    return irl__explain_letter(m, p->term[k]) < 0 ? 0 : p->sign[k] < 0 ? 2 : 3;
}

static int irl__explain_matches_sum(irl__explain_match *m, const irl_expr *pattern,
                                    const irl_expr *e)
{
    irl__explain_sum p, s;
    int              rank;
    memset(&p, 0, sizeof p);
    memset(&s, 0, sizeof s);
    if (!irl__type_is_index(e->type) || !irl__explain_flatten(pattern, 1, 0, &p) ||
        !irl__explain_flatten(e, 1, 0, &s))
        return 0;
    irl__explain_sum sorted = p;
    for (rank = 0, sorted.count = 0; rank < 4; rank++)
        for (int k = 0; k < p.count; k++)
            if (irl__explain_rank(m, &p, k) == rank) {
                sorted.term[sorted.count] = p.term[k];
                sorted.sign[sorted.count++] = p.sign[k];
            }
    return irl__explain_terms(m, &sorted, 0, &s, 0, s.constant);
}

static int irl__explain_matches(irl__explain_match *m, const irl_expr *p, const irl_expr *e)
{
    int letter = irl__explain_letter(m, p), k;
    if (letter >= 0) return irl__explain_bind(m, letter, e);
    if (p->op == IRL_OP_INT) return p == e;
    if (irl__explain_is_constant(m, p))
        return e->op == IRL_OP_INT && irl__explain_solve(m, p, e->u.i);
    if (p->op == IRL_OP_ADD || p->op == IRL_OP_SUB) return irl__explain_matches_sum(m, p, e);
    if (p->op != e->op || p->count != e->count) return 0;
    irl__explain_match saved = *m;
    /* the divisor first */
    for (k = (int)p->count - 1; k >= 0 && irl__explain_matches(m, p->a[k], e->a[k]); k--) continue;
    if (k < 0) return 1;
    *m = saved;
    return p->count == 2 && irl__explain_commutes((irl_op)p->op) &&
           irl__explain_matches(m, p->a[0], e->a[1]) && irl__explain_matches(m, p->a[1], e->a[0]);
}

/* ------------------------------------------------------------------ applying */

/* The pattern with what its letters stand for, constants computed; NULL if a letter has no
   value. */
static const irl_expr *irl__explain_make(const irl__explain_match *m, const irl_expr *p)
{
    const irl_expr *a[3];
    irl_ctx        *cx = m->rules->cx;
    int             letter = irl__explain_letter(m, p), constant = 1;
    uint32_t        k;
    if (letter >= 0) return m->bound[letter];
    if (p->count == 0) return p;
    for (k = 0; k < p->count && k < 3; k++) {
        a[k] = irl__explain_make(m, p->a[k]);
        if (!a[k]) return NULL;
        constant &= a[k]->op == IRL_OP_INT;
    }
    if (constant) {
        irl__scalar v[3], r;
        for (k = 0; k < p->count; k++) v[k].i = a[k]->u.i;
        if (p->count > 2 || irl__fold_scalar((irl_op)p->op, a[0]->type, v, &r) != IRL__FOLD_OK)
            return NULL;
        return irl_expr_int(cx, p->type, r.i);
    }
    if (p->op == IRL_OP_MUL && (irl__is_int(a[0], 1) || irl__is_int(a[1], 1)))
        return irl__is_int(a[0], 1) ? a[1] : a[0];
    if ((p->op == IRL_OP_ADD || p->op == IRL_OP_SUB) && irl__is_int(a[1], 0)) return a[0];
    if (p->op == IRL_OP_ADD && irl__is_int(a[0], 0)) return a[1];
    return irl__make_with(m->an, p, a);
}

/* What the rule makes of e, NULL if it does not apply. */
static const irl_expr *irl__explain_apply(const irl__proof_rules *b, irl__analyzer *an,
                                          const irl__proof_rule *r,
                                          const irl_expr *e)
{
    irl__explain_match m;
    const irl_expr    *made;
    memset(&m, 0, sizeof m);
    m.rules = b;
    m.an = an;
    /* what ranges decide is said in other words */
    if (!r->from || !r->to || (r->known && r->to->op == IRL_OP_INT)) return NULL;
    if (!irl__explain_matches(&m, r->from, e)) return NULL;
    if (r->holds) {
        made = irl__explain_make(&m, r->holds);
        if (!made || !irl__is_int(made, 1)) return NULL;
    }
    if (r->known) {
        made = irl__explain_make(&m, r->known);
        if (!made || !irl__prove(an, made)) return NULL;
    }
    return irl__explain_make(&m, r->to);
}

/* ------------------------------------------------------------------ searching */

/* What one rule makes of one part of e; parts within parts come first. */
static int irl__explain_candidates(const irl__proof_rules *b, irl__analyzer *an, const irl_expr *e,
                                   irl__explained *list, int count)
{
    const irl_expr *made, *a[3];
    int             i;
    if (e->count > 3 || (e->flags & (IRL__HAS_MEMORY | IRL__HAS_LET)) ||
        e->size > IRL__EXPLAIN_SIZE)
        return count;
    for (uint32_t k = 0; k < e->count; k++) {
        int first = count;
        count = irl__explain_candidates(b, an, e->a[k], list, count);
        for (i = first; i < count; i++) {
            for (uint32_t j = 0; j < e->count; j++) a[j] = j == k ? list[i].to : e->a[j];
            list[i].to = irl__make_with(an, e, a);
            if (!list[i].to) return first;
        }
    }
    for (i = 0; e->count && i < b->count && count < IRL__EXPLAIN_CANDIDATES && irl__ok(b->cx);
         i++) {
        made = irl__explain_apply(b, an, &b->list[i], e);
        if (!made || made == e || made->size > e->size || !irl_type_equal(made->type, e->type))
            continue;
        list[count].to = made;
        list[count++].rule = &b->list[i];
    }
    return count;
}

int irl__explain(const irl__proof_rules *b, irl__analyzer *an, const irl_expr *from,
                 const irl_expr *to,
                 int depth, irl__explained *out)
{
    irl__explained list[IRL__EXPLAIN_CANDIDATES];
    if (irl__explain_same(from, to)) return 0;
    if (depth == 0) return -1;
    int count = irl__explain_candidates(b, an, from, list, 0);
    for (int k = 0; k < count; k++) {
        int steps = irl__explain(b, an, list[k].to, to, depth - 1, out + 1);
        if (steps < 0) continue;
        *out = list[k];
        if (steps == 0) out->to = to;
        return steps + 1;
    }
    return -1;
}
