/* sum.c - sums of terms with constant coefficients: the canonical form of integer expressions.

   needs     divmod.c for what merging builds
   promises  a sum equals the expression that it came from; emitting a sum and reading it back gives the same sum. Nothing
             overflows: an operation that would is false, and the caller keeps what was written.

   Products of unknowns (n*h*w) are atoms with their factors in a fixed order, so that equal products meet; a product of two
   short sums is multiplied out, and emitting puts common factors outside again: (n*h + i)*w + j. */
#include "engine.h"

enum { IRL__EXPAND_LIMIT = 16, IRL__FACTOR_LIMIT = 16 };

irl__sum irl__sum_begin(const irl__analyzer *an, irl_type type)
{
    irl__sum s;
    s.first = an->term_count;
    s.count = 0;
    s.constant = 0;
    s.type = type;
    return s;
}

void irl__sum_end(irl__analyzer *an, const irl__sum *s) { an->term_count = s->first; }

static int irl__sum_room(irl__analyzer *an)
{
    irl__term *grown;
    if (an->term_count < an->term_capacity) return 1;
    grown = (irl__term *)irl__alloc_array(an->cx, (size_t)an->term_capacity * 2, sizeof *grown);
    if (!grown) return 0;
    memcpy(grown, an->terms, (size_t)an->term_count * sizeof *grown);
    an->terms = grown;
    an->term_capacity *= 2;
    return 1;
}

int irl__sum_add_term(irl__analyzer *an, irl__sum *s, const irl_expr *atom, int64_t coef)
{
    int k;
    if (coef == 0) return 1;
    if (coef == INT64_MIN) return 0; /* so that every coefficient can change its sign */
    for (k = 0; k < s->count; k++) {
        irl__term *t = &an->terms[s->first + k];
        if (t->atom == atom) return irl__add64(t->coef, coef, &t->coef) && t->coef != INT64_MIN;
    }
    if (s->count >= IRL__SUM_LIMIT || !irl__sum_room(an)) return 0;
    an->terms[an->term_count].atom = atom;
    an->terms[an->term_count].coef = coef;
    an->term_count++;
    s->count++;
    return 1;
}

void irl__sum_compact(irl__analyzer *an, irl__sum *s)
{
    int k, n = 0;
    for (k = 0; k < s->count; k++)
        if (an->terms[s->first + k].coef != 0) an->terms[s->first + n++] = an->terms[s->first + k];
    s->count = n;
    an->term_count = s->first + n;
}

int irl__sum_scale(irl__analyzer *an, irl__sum *s, int64_t k)
{
    int i;
    for (i = 0; i < s->count; i++) {
        irl__term *t = &an->terms[s->first + i];
        if (!irl__mul64(t->coef, k, &t->coef) || t->coef == INT64_MIN) return 0;
    }
    return irl__mul64(s->constant, k, &s->constant);
}

int64_t irl__sum_gcd(const irl__analyzer *an, const irl__sum *s, int64_t with)
{
    int64_t g = with;
    int     k;
    for (k = 0; k < s->count && g != 1; k++)
        g = irl__gcd64(g, an->terms[s->first + k].coef);
    return g;
}

irl__interval irl__sum_range(irl__analyzer *an, const irl__sum *s)
{
    irl__interval r = irl__interval_make(s->constant, s->constant);
    int           k;
    for (k = 0; k < s->count; k++) {
        irl__term t = an->terms[s->first + k];
        if (t.coef) r = irl__interval_add(r, irl__interval_scale(irl__range_of(an, t.atom), t.coef));
    }
    return r;
}

/* ------------------------------------------------------------------ products of unknowns */

static int irl__sum_is_linear(irl_op op) { return op == IRL_OP_INT || op == IRL_OP_ADD || op == IRL_OP_SUB || op == IRL_OP_NEG || op == IRL_OP_MUL; }

/* Factors of a product atom, outermost last; false if there are too many. */
static int irl__sum_factors(const irl_expr *e, const irl_expr **out, int *count)
{
    if (e->op == IRL_OP_MUL && e->a[0]->op != IRL_OP_INT && e->a[1]->op != IRL_OP_INT)
        return irl__sum_factors(e->a[0], out, count) && irl__sum_factors(e->a[1], out, count);
    if (*count == IRL__FACTOR_LIMIT) return 0;
    out[(*count)++] = e;
    return 1;
}

/* What a node holds beside its operands, as a number that is the same in every run (no address, no hash). */
static int64_t irl__sum_factor_own(const irl_expr *e)
{
    int64_t own;
    switch (e->op) {
    case IRL_OP_VAR: return e->id;
    case IRL_OP_LOAD: return e->u.buffer->id;
    case IRL_OP_INT: return e->u.i;
    case IRL_OP_FLOAT: return memcpy(&own, &e->u.f, sizeof own), own;
    default: return 0;
    }
}

static int irl__sum_order(int64_t a, int64_t b) { return a < b ? -1 : a > b; }

static int irl__sum_own_compare(const irl_expr *a, const irl_expr *b)
{
    int order = irl__sum_order(b->op == IRL_OP_VAR, a->op == IRL_OP_VAR);
    if (!order) order = irl__sum_order(a->op, b->op);
    if (!order) order = irl__sum_order(a->type.scalar, b->type.scalar);
    if (!order) order = irl__sum_order(a->count, b->count);
    if (!order) order = irl__sum_order(irl__sum_factor_own(a), irl__sum_factor_own(b));
    if (!order && (a->op == IRL_OP_CALL_EXTERN || a->op == IRL_OP_CALL_INTRINSIC)) order = strcmp(a->u.name, b->u.name);
    return order;
}

/* Any fixed order will do if it is the same in every run; variables by age and before the rest reads best. Equal operands are
   one object, so that one path is walked, no deeper than the expressions. */
int irl__sum_factor_compare(const irl_expr *a, const irl_expr *b)
{
    int      order = irl__sum_own_compare(a, b);
    uint32_t k;
    if (order) return order;
    for (k = 0; k < a->count; k++)
        if (a->a[k] != b->a[k]) return irl__sum_factor_compare(a->a[k], b->a[k]);
    return 0;
}

static const irl_expr *irl__sum_product(irl__analyzer *an, const irl_expr *const *factors, int count)
{
    const irl_expr *e = factors[0];
    int             k;
    for (k = 1; k < count && e; k++) e = irl__make2(an, IRL_OP_MUL, e, factors[k]);
    return e;
}

const irl_expr *irl__sum_product_of(irl__analyzer *an, const irl_expr *a, const irl_expr *b)
{
    const irl_expr *f[IRL__FACTOR_LIMIT];
    int             n = 0, i, k;
    if (!irl__sum_factors(a, f, &n) || !irl__sum_factors(b, f, &n)) return irl__make2(an, IRL_OP_MUL, a, b);
    for (i = 1; i < n; i++) {
        const irl_expr *x = f[i];
        for (k = i; k > 0 && irl__sum_factor_compare(x, f[k - 1]) < 0; k--) f[k] = f[k - 1];
        f[k] = x;
    }
    return irl__sum_product(an, f, n);
}

/* s += scale * a * b, multiplied out. a and b lie below s on the stack. */
static int irl__sum_add_expanded(irl__analyzer *an, irl__sum *s, const irl__sum *a, const irl__sum *b, int64_t scale)
{
    int     i, k;
    int64_t c;
    if (!irl__mul64(a->constant, b->constant, &c) || !irl__mul64(c, scale, &c) || !irl__add64(s->constant, c, &s->constant)) return 0;
    for (i = -1; i < a->count; i++)
        for (k = -1; k < b->count; k++) {
            const irl_expr *x = i < 0 ? NULL : an->terms[a->first + i].atom, *y = k < 0 ? NULL : an->terms[b->first + k].atom;
            const irl_expr *atom = x && y ? irl__sum_product_of(an, x, y) : x ? x : y;
            if (!x && !y) continue;
            if (!atom || !irl__mul64(i < 0 ? a->constant : an->terms[a->first + i].coef,
                                     k < 0 ? b->constant : an->terms[b->first + k].coef, &c) || !irl__mul64(c, scale, &c)) return 0;
            if (!irl__sum_add_term(an, s, atom, c)) return 0;
        }
    return 1;
}

static int irl__sum_is_min_by_max(const irl_expr *x, const irl_expr *y)
{
    if (!(x->op == IRL_OP_MIN && y->op == IRL_OP_MAX) && !(x->op == IRL_OP_MAX && y->op == IRL_OP_MIN)) return 0;
    return (x->a[0] == y->a[0] && x->a[1] == y->a[1]) || (x->a[0] == y->a[1] && x->a[1] == y->a[0]);
}

/* s += scale * x * y, where neither is a constant. The parts stand above s while they are made, so the result is built above
   them and moved down. */
static int irl__sum_add_product(irl__analyzer *an, irl__sum *s, const irl_expr *x, const irl_expr *y, int64_t scale, int done)
{
    irl__sum a, b, r;
    int      k, ok, first;
    if (irl__sum_is_min_by_max(x, y)) { /* min(a, b)*max(a, b) = a*b */
        y = x->a[1];
        x = x->a[0];
    }
    a = irl__sum_begin(an, s->type);
    ok = done ? irl__sum_add_done(an, &a, x, 1) : irl__sum_add(an, &a, x, 1);
    irl__sum_compact(an, &a);
    b = irl__sum_begin(an, s->type);
    ok = ok && (done ? irl__sum_add_done(an, &b, y, 1) : irl__sum_add(an, &b, y, 1));
    irl__sum_compact(an, &b);
    r = irl__sum_begin(an, s->type);
    if (ok) {
        if (a.count == 0) ok = irl__mul64(scale, a.constant, &scale) && irl__sum_add_sum(an, &r, &b, scale);
        else if (b.count == 0) ok = irl__mul64(scale, b.constant, &scale) && irl__sum_add_sum(an, &r, &a, scale);
        else if ((a.count + 1) * (b.count + 1) <= IRL__EXPAND_LIMIT) ok = irl__sum_add_expanded(an, &r, &a, &b, scale);
        else {
            const irl_expr *ea = irl__sum_emit(an, &a), *eb = irl__sum_emit(an, &b), *e = NULL;
            if (ea && eb) e = irl__sum_product_of(an, ea, eb);
            ok = e && irl__sum_add_term(an, &r, e, scale);
        }
    }
    ok = ok && irl__add64(s->constant, r.constant, &s->constant);
    first = r.first;
    an->term_count = a.first; /* the terms of r stay readable above */
    for (k = 0; ok && k < r.count; k++) {
        irl__term t = an->terms[first + k];
        ok = irl__sum_add_term(an, s, t.atom, t.coef);
    }
    return ok;
}

/* ------------------------------------------------------------------ reading expressions */

int irl__sum_add_sum(irl__analyzer *an, irl__sum *s, const irl__sum *b, int64_t scale)
{
    int     k;
    int64_t c;
    for (k = 0; k < b->count; k++) {
        irl__term t = an->terms[b->first + k];
        if (!irl__mul64(t.coef, scale, &c) || !irl__sum_add_term(an, s, t.atom, c)) return 0;
    }
    return irl__mul64(b->constant, scale, &c) && irl__add64(s->constant, c, &s->constant);
}

/* (r + k)/c with k outside [0, c) is (r + k%c)/c + k/c: so that (x + 5)/2 and (x - 3)/2 meet. Emitting moves k back in. */
static int irl__sum_add_division(irl__analyzer *an, irl__sum *s, const irl_expr *e, int64_t scale)
{
    const irl_expr *a = e->a[0], *atom;
    irl__sum        r;
    int64_t         c, k, q, m;
    int             ok;
    if (e->a[1]->op != IRL_OP_INT || (a->op != IRL_OP_ADD && a->op != IRL_OP_SUB) || a->a[1]->op != IRL_OP_INT)
        return irl__sum_add_term(an, s, e, scale);
    c = e->a[1]->u.i;
    k = a->a[1]->u.i;
    if (a->op == IRL_OP_SUB && !irl__sub64(0, k, &k)) return irl__sum_add_term(an, s, e, scale);
    if (c <= 0 || (k >= 0 && k < c) || !irl__floordiv64(k, c, &q) || !irl__floormod64(k, c, &m)) return irl__sum_add_term(an, s, e, scale);
    r = irl__sum_begin(an, e->type);
    ok = irl__sum_add_done(an, &r, a->a[0], 1) && irl__add64(r.constant, m, &r.constant);
    atom = ok ? irl__sum_emit(an, &r) : NULL;
    irl__sum_end(an, &r);
    atom = atom ? irl__make2(an, IRL_OP_FLOORDIV, atom, e->a[1]) : NULL;
    return atom && irl__mul64(q, scale, &q) && irl__add64(s->constant, q, &s->constant) && irl__sum_add_term(an, s, atom, scale);
}

static int irl__sum_add_either(irl__analyzer *an, irl__sum *s, const irl_expr *e, int64_t scale, int done)
{
    int64_t c;
    switch (e->op) {
    case IRL_OP_INT: return irl__mul64(e->u.i, scale, &c) && irl__add64(s->constant, c, &s->constant);
    case IRL_OP_ADD: return irl__sum_add_either(an, s, e->a[0], scale, done) && irl__sum_add_either(an, s, e->a[1], scale, done);
    case IRL_OP_SUB:
        if (scale == INT64_MIN) return 0;
        return irl__sum_add_either(an, s, e->a[0], scale, done) && irl__sum_add_either(an, s, e->a[1], -scale, done);
    case IRL_OP_NEG: return scale != INT64_MIN && irl__sum_add_either(an, s, e->a[0], -scale, done);
    case IRL_OP_MUL:
        if (e->a[1]->op == IRL_OP_INT) return irl__mul64(scale, e->a[1]->u.i, &c) && irl__sum_add_either(an, s, e->a[0], c, done);
        if (e->a[0]->op == IRL_OP_INT) return irl__mul64(scale, e->a[0]->u.i, &c) && irl__sum_add_either(an, s, e->a[1], c, done);
        return irl__sum_add_product(an, s, e->a[0], e->a[1], scale, done);
    case IRL_OP_FLOORDIV: return irl__sum_add_division(an, s, e, scale);
    default: return irl__sum_add_term(an, s, e, scale);
    }
}

int irl__sum_add_done(irl__analyzer *an, irl__sum *s, const irl_expr *e, int64_t scale)
{
    if (irl__sum_is_linear((irl_op)e->op) && !irl__type_is_index(e->type) && !irl__is_exact(an, e))
        return irl__sum_add_term(an, s, e, scale);
    return irl__sum_add_either(an, s, e, scale, 1);
}

/* Index arithmetic is read as one sum, whatever its nesting; other types node by node, because each may wrap. */
int irl__sum_add(irl__analyzer *an, irl__sum *s, const irl_expr *e, int64_t scale)
{
    int64_t         c;
    const irl_expr *r;
    if (irl__type_is_index(e->type) && e->type.lanes == 1) {
        switch (e->op) {
        case IRL_OP_INT: return irl__mul64(e->u.i, scale, &c) && irl__add64(s->constant, c, &s->constant);
        case IRL_OP_ADD: return irl__sum_add(an, s, e->a[0], scale) && irl__sum_add(an, s, e->a[1], scale);
        case IRL_OP_SUB: return scale != INT64_MIN && irl__sum_add(an, s, e->a[0], scale) && irl__sum_add(an, s, e->a[1], -scale);
        case IRL_OP_NEG: return scale != INT64_MIN && irl__sum_add(an, s, e->a[0], -scale);
        case IRL_OP_MUL:
            if (e->a[1]->op == IRL_OP_INT) return irl__mul64(scale, e->a[1]->u.i, &c) && irl__sum_add(an, s, e->a[0], c);
            if (e->a[0]->op == IRL_OP_INT) return irl__mul64(scale, e->a[0]->u.i, &c) && irl__sum_add(an, s, e->a[1], c);
            return irl__sum_add_product(an, s, e->a[0], e->a[1], scale, 0);
        default: break;
        }
    }
    r = irl__simplify_node(an, e);
    return r && irl__sum_add_done(an, s, r, scale);
}

/* ------------------------------------------------------------------ merging */

/* The parts of (source / lower) % extent; extent 0: no modulo. */
typedef struct irl__merge_split {
    const irl_expr *source;
    int64_t         lower, extent;
} irl__merge_split;

/* x/l + c as (x + c*l)/l: the constant that a division has let go of. */
static int irl__merge_shifted(irl__analyzer *an, const irl_expr *e, irl__merge_split *p)
{
    const irl_expr *q;
    irl__sum        s;
    int64_t         shift;
    if ((e->op != IRL_OP_ADD && e->op != IRL_OP_SUB) || e->a[1]->op != IRL_OP_INT) return 0;
    q = e->a[0];
    if (q->op != IRL_OP_FLOORDIV || q->a[1]->op != IRL_OP_INT || q->a[1]->u.i <= 0) return 0;
    if (!irl__mul64(e->a[1]->u.i, e->op == IRL_OP_SUB ? -q->a[1]->u.i : q->a[1]->u.i, &shift)) return 0;
    s = irl__sum_begin(an, e->type);
    s.constant = shift;
    p->source = irl__sum_add_done(an, &s, q->a[0], 1) ? irl__sum_emit(an, &s) : NULL;
    irl__sum_end(an, &s);
    p->lower = q->a[1]->u.i;
    return p->source != NULL;
}

static irl__merge_split irl__merge_split_of(irl__analyzer *an, const irl_expr *e)
{
    irl__merge_split p;
    p.extent = 0;
    p.lower = 1;
    if (e->op == IRL_OP_FLOORMOD && e->a[1]->op == IRL_OP_INT && e->a[1]->u.i > 0) {
        p.extent = e->a[1]->u.i;
        e = e->a[0];
        if (irl__merge_shifted(an, e, &p)) return p;
    }
    if (e->op == IRL_OP_FLOORDIV && e->a[1]->op == IRL_OP_INT && e->a[1]->u.i > 0) {
        p.lower = e->a[1]->u.i;
        e = e->a[0];
    }
    p.source = e;
    return p;
}

/* a and b leave the same remainder when divided by m: the coefficients of a - b are multiples of m. */
static int irl__merge_congruent(irl__analyzer *an, const irl_expr *a, const irl_expr *b, int64_t m)
{
    irl__sum s;
    int      ok, k;
    if (a == b) return 1;
    s = irl__sum_begin(an, a->type);
    ok = irl__sum_add_done(an, &s, a, 1) && irl__sum_add_done(an, &s, b, -1) && irl__sum_drop_inner_mods(an, &s, m) && s.constant % m == 0;
    for (k = 0; ok && k < s.count; k++) ok = an->terms[s.first + k].coef % m == 0;
    irl__sum_end(an, &s);
    return ok;
}

/* (source / lower) % extent, or without the modulo if extent is 0. */
static const irl_expr *irl__merge_split_expr(irl__analyzer *an, irl__merge_split p)
{
    irl__sum        s = irl__sum_begin(an, p.source->type);
    const irl_expr *e = p.source;
    if (p.lower != 1) e = irl__sum_add_done(an, &s, e, 1) ? irl__sum_floordiv(an, &s, p.lower) : NULL;
    irl__sum_end(an, &s);
    if (!e || p.extent == 0) return e;
    s = irl__sum_begin(an, p.source->type);
    e = irl__sum_add_done(an, &s, e, 1) ? irl__sum_floormod(an, &s, p.extent) : NULL;
    irl__sum_end(an, &s);
    return e;
}

/* Two atoms that are the same, their terms in another order: one with both coefficients. */
static int irl__merge_same(irl__analyzer *an, irl__sum *s, int i, int k)
{
    irl__term *a = &an->terms[s->first + i], *b = &an->terms[s->first + k];
    if (!irl__add64(a->coef, b->coef, &a->coef) || a->coef == INT64_MIN) return -1;
    b->coef = 0;
    irl__sum_compact(an, s);
    return 1;
}

/* Terms low = k*(M % c) and high = k*c*(M / c [% e]) of s are one: k*(M [% (c*e)]). */
static int irl__merge_pair(irl__analyzer *an, irl__sum *s, int low, int high)
{
    irl__term       l = an->terms[s->first + low], h = an->terms[s->first + high];
    irl__merge_split p, q, r;
    int64_t          scaled, lower;
    const irl_expr  *e;
    if (l.atom->a[1]->op != IRL_OP_INT) return 0;
    if (h.atom->op == IRL_OP_FLOORMOD && h.atom->a[1] == l.atom->a[1] && irl__merge_congruent(an, h.atom->a[0], l.atom->a[0], l.atom->a[1]->u.i))
        return irl__merge_same(an, s, low, high);
    if (!irl__mul64(l.coef, l.atom->a[1]->u.i, &scaled) || scaled != h.coef) return 0;
    p = irl__merge_split_of(an, l.atom);
    q = irl__merge_split_of(an, h.atom);
    if (p.extent == 0 || !p.source || !q.source) return 0;
    if (!irl__mul64(p.lower, p.extent, &lower) || lower != q.lower || !irl__merge_congruent(an, q.source, p.source, lower)) return 0;
    r.source = q.source;
    r.lower = p.lower;
    r.extent = 0;
    if (q.extent && !irl__mul64(p.extent, q.extent, &r.extent)) return 0;
    e = irl__merge_split_expr(an, r);
    if (!e) return 0;
    an->terms[s->first + low].coef = an->terms[s->first + high].coef = 0;
    irl__sum_compact(an, s);
    return irl__sum_add_done(an, s, e, l.coef) ? 1 : -1;
}

/* How many terms of k * e are in s exactly, less those that are not there at all; -1 - count if no gain. */
static int irl__merge_cancels(irl__analyzer *an, const irl__sum *s, const irl__sum *e, int64_t k)
{
    int     i, j, gain = 0;
    int64_t c;
    for (i = 0; i < e->count; i++) {
        if (!irl__mul64(an->terms[e->first + i].coef, k, &c)) return -1;
        for (j = 0; j < s->count && an->terms[s->first + j].atom != an->terms[e->first + i].atom; j++) continue;
        if (j == s->count) gain--;
        else if (an->terms[s->first + j].coef == c) gain++;
    }
    return gain;
}

/* k*D - k*c*(D / c), and whatever else, is k*(D % c): x - x/3*3 -> x%3. */
static int irl__merge_remainder(irl__analyzer *an, irl__sum *s, int at)
{
    irl__term       t = an->terms[s->first + at];
    int64_t         c, k;
    irl__sum        d;
    const irl_expr *dividend, *e;
    int             gain;
    if (t.atom->a[1]->op != IRL_OP_INT) return 0;
    c = t.atom->a[1]->u.i;
    if (c <= 1 || t.coef == INT64_MIN || t.coef % c != 0) return 0;
    k = -(t.coef / c);
    dividend = t.atom->a[0];
    d = irl__sum_begin(an, s->type);
    gain = irl__sum_add_done(an, &d, dividend, 1) ? irl__merge_cancels(an, s, &d, k) : -1;
    if (gain < 0 || (gain == 0 && d.count < 2)) {
        irl__sum_end(an, &d);
        return 0;
    }
    if (t.atom->op == IRL_OP_FLOORDIV) e = irl__sum_floormod(an, &d, c);
    else e = irl__simplify_node(an, irl__make2(an, IRL_OP_TRUNCMOD, dividend, t.atom->a[1]));
    irl__sum_end(an, &d);
    if (!e) return 0;
    an->terms[s->first + at].coef = 0;
    irl__sum_compact(an, s);
    if (!irl__sum_add_done(an, s, dividend, -k) || !irl__sum_add_done(an, s, e, k)) return -1;
    irl__sum_compact(an, s);
    return 1;
}

/* k*((D + r)/c) - k*(D/c) = k*((D%c + r)/c) for a constant r > 0: (x + 5)/3 - x/3 -> (x%3 + 5)/3. */
static int irl__merge_difference(irl__analyzer *an, irl__sum *s, int high, int low)
{
    irl__term       h = an->terms[s->first + high], l = an->terms[s->first + low];
    irl__sum        d;
    int64_t         r, c;
    const irl_expr *e = NULL;
    int             ok;
    if (h.atom->a[1] != l.atom->a[1] || h.atom->a[1]->op != IRL_OP_INT) return 0;
    c = h.atom->a[1]->u.i;
    d = irl__sum_begin(an, s->type);
    ok = irl__sum_add_done(an, &d, h.atom->a[0], 1) && irl__sum_add_done(an, &d, l.atom->a[0], -1);
    irl__sum_compact(an, &d);
    ok = ok && d.count == 0 && d.constant >= 0;
    r = d.constant;
    irl__sum_end(an, &d);
    if (ok && r == 0) return irl__merge_same(an, s, high, low);
    if (!ok || c <= 1 || h.coef != -l.coef) return 0;
    d = irl__sum_begin(an, s->type);
    if (irl__sum_add_done(an, &d, l.atom->a[0], 1)) e = irl__sum_floormod(an, &d, c);
    irl__sum_end(an, &d);
    d = irl__sum_begin(an, s->type);
    if (e && irl__sum_add_done(an, &d, e, 1) && irl__add64(d.constant, r, &d.constant)) e = irl__sum_floordiv(an, &d, c);
    else e = NULL;
    irl__sum_end(an, &d);
    if (!e) return 0;
    an->terms[s->first + high].coef = an->terms[s->first + low].coef = 0;
    irl__sum_compact(an, s);
    return irl__sum_add_done(an, s, e, h.coef) ? 1 : -1;
}

/* C's division: k*truncmod(x, c) + k*c*truncdiv(x, c) = k*x; with truncdiv(x, l) for x, and truncmod(truncdiv(x, c*l), e) for
   the high part, the same. */
static int irl__merge_truncating(irl__analyzer *an, irl__sum *s, int low, int high)
{
    irl__term       l = an->terms[s->first + low], h = an->terms[s->first + high];
    const irl_expr *source = l.atom->a[0], *upper = h.atom, *modulus = NULL, *e;
    int64_t         c, lower = 1, scaled, upper_lower = 1, extent;
    if (l.atom->a[1]->op != IRL_OP_INT || h.atom->a[1]->op != IRL_OP_INT) return 0;
    c = l.atom->a[1]->u.i;
    if (c <= 0 || !irl__mul64(l.coef, c, &scaled) || scaled != h.coef) return 0;
    if (source->op == IRL_OP_TRUNCDIV && source->a[1]->op == IRL_OP_INT) {
        lower = source->a[1]->u.i;
        source = source->a[0];
    }
    if (upper->op == IRL_OP_TRUNCMOD) {
        modulus = upper->a[1];
        upper = upper->a[0];
    }
    if (upper->op != IRL_OP_TRUNCDIV || upper->a[1]->op != IRL_OP_INT || upper->a[0] != source) return 0;
    upper_lower = upper->a[1]->u.i;
    if (lower <= 0 || !irl__mul64(lower, c, &lower) || lower != upper_lower) return 0;
    e = l.atom->a[0];
    if (modulus) {
        if (!irl__mul64(modulus->u.i, c, &extent)) return 0;
        e = irl__make2(an, IRL_OP_TRUNCMOD, e, irl_int(an->cx, s->type, extent));
        if (!e) return -1;
    }
    an->terms[s->first + low].coef = an->terms[s->first + high].coef = 0;
    irl__sum_compact(an, s);
    return irl__sum_add_done(an, s, e, l.coef) ? 1 : -1;
}

static int irl__merge_two(irl__analyzer *an, irl__sum *s, int i, int j)
{
    irl_op a = (irl_op)an->terms[s->first + i].atom->op, b = (irl_op)an->terms[s->first + j].atom->op;
    if (a == IRL_OP_FLOORMOD && (b == IRL_OP_FLOORMOD || b == IRL_OP_FLOORDIV)) return irl__merge_pair(an, s, i, j);
    if (a == IRL_OP_FLOORDIV && b == IRL_OP_FLOORDIV) return irl__merge_difference(an, s, i, j);
    if (a == IRL_OP_TRUNCMOD && (b == IRL_OP_TRUNCMOD || b == IRL_OP_TRUNCDIV)) return irl__merge_truncating(an, s, i, j);
    return 0;
}

static int irl__merge_once(irl__analyzer *an, irl__sum *s)
{
    int i, j, r;
    for (i = 0; i < s->count; i++) {
        irl_op op = (irl_op)an->terms[s->first + i].atom->op;
        if (op != IRL_OP_FLOORMOD && op != IRL_OP_FLOORDIV && op != IRL_OP_TRUNCMOD && op != IRL_OP_TRUNCDIV) continue;
        for (j = 0; j < s->count; j++) {
            if (j == i) continue;
            r = irl__merge_two(an, s, i, j);
            if (r) return r;
        }
        if (op == IRL_OP_FLOORDIV || op == IRL_OP_TRUNCDIV) {
            r = irl__merge_remainder(an, s, i);
            if (r) return r;
        }
    }
    return 0;
}

int irl__sum_merge(irl__analyzer *an, irl__sum *s)
{
    int k, divisions = 0, choices = 0, symbols = 0, r = 0;
    irl__sum_compact(an, s);
    for (k = 0; k < s->count; k++) {
        irl_op op = (irl_op)an->terms[s->first + k].atom->op;
        divisions += op == IRL_OP_FLOORMOD || op == IRL_OP_FLOORDIV || op == IRL_OP_TRUNCMOD || op == IRL_OP_TRUNCDIV;
        choices += op == IRL_OP_MIN || op == IRL_OP_MAX || op == IRL_OP_SELECT;
        symbols += (op == IRL_OP_MUL || op == IRL_OP_FLOORMOD) && irl__is_symbolic_part(an->terms[s->first + k].atom);
    }
    if ((divisions == 0 && choices < 2 && symbols == 0) || divisions + choices + symbols > IRL__MERGE_LIMIT) return 1;
    for (k = 0; k < IRL__MERGE_LIMIT; k++) {
        r = divisions ? irl__merge_once(an, s) : 0;
        if (r == 0 && choices > 1) r = irl__sum_merge_choices(an, s);
        if (r == 0 && symbols) r = irl__sum_merge_symbolic(an, s);
        if (r <= 0) return r == 0;
        irl__sum_compact(an, s);
    }
    return 1;
}

/* ------------------------------------------------------------------ emitting */

static uint64_t irl__sum_magnitude(int64_t v) { return v < 0 ? 0 - (uint64_t)v : (uint64_t)v; }

/* Larger scales first; terms of one scale as they came. */
static void irl__sum_sort(irl__analyzer *an, const irl__sum *s)
{
    int i, k;
    for (i = 1; i < s->count; i++) {
        irl__term t = an->terms[s->first + i];
        for (k = i; k > 0 && irl__sum_magnitude(an->terms[s->first + k - 1].coef) < irl__sum_magnitude(t.coef); k--)
            an->terms[s->first + k] = an->terms[s->first + k - 1];
        an->terms[s->first + k] = t;
    }
}

static const irl_expr *irl__emit_scaled(irl__analyzer *an, const irl_expr *atom, int64_t k)
{
    if (k == 1) return atom;
    if (k == -1) return irl__make1(an, IRL_OP_NEG, atom);
    return irl__make2(an, IRL_OP_MUL, atom, irl_int(an->cx, atom->type, k));
}

/* e + k*atom, with e NULL for nothing yet. */
static const irl_expr *irl__emit_plus(irl__analyzer *an, const irl_expr *e, const irl_expr *atom, int64_t k)
{
    if (!e) return irl__emit_scaled(an, atom, k);
    if (k < 0 && k != INT64_MIN) return irl__make2(an, IRL_OP_SUB, e, irl__emit_scaled(an, atom, -k));
    return irl__make2(an, IRL_OP_ADD, e, irl__emit_scaled(an, atom, k));
}

static const irl_expr *irl__emit_constant(irl__analyzer *an, const irl_expr *e, int64_t k, irl_type type)
{
    if (!e) return irl_int(an->cx, type, k);
    if (k == 0) return e;
    if (k < 0 && k != INT64_MIN) return irl__make2(an, IRL_OP_SUB, e, irl_int(an->cx, type, -k));
    return irl__make2(an, IRL_OP_ADD, e, irl_int(an->cx, type, k));
}

/* Added terms first, then subtracted ones, the constant last; a constant leads where nothing else is positive: 3 - j. */
const irl_expr *irl__sum_emit_terms(irl__analyzer *an, const irl__sum *s)
{
    const irl_expr *e = NULL;
    int             k, sign, positive = 0;
    int64_t         constant = s->constant;
    for (k = 0; k < s->count; k++) positive += an->terms[s->first + k].coef > 0;
    if (!positive && constant > 0) {
        e = irl_int(an->cx, s->type, constant);
        if (!e) return NULL;
        constant = 0;
    }
    for (sign = 1; sign >= -1; sign -= 2)
        for (k = 0; k < s->count; k++) {
            irl__term t = an->terms[s->first + k];
            if ((t.coef > 0) != (sign > 0)) continue;
            e = irl__emit_plus(an, e, t.atom, t.coef);
            if (!e) return NULL;
        }
    return irl__emit_constant(an, e, constant, s->type);
}

static int irl__emit_has_factor(const irl_expr *atom, const irl_expr *factor)
{
    const irl_expr *f[IRL__FACTOR_LIMIT];
    int             n = 0, k;
    if (!irl__sum_factors(atom, f, &n)) return 0;
    for (k = 0; k < n; k++)
        if (f[k] == factor) return 1;
    return 0;
}

/* The unknown that most terms have as a factor: at least two, and one of them a product. NULL if none. */
static const irl_expr *irl__emit_common_factor(irl__analyzer *an, const irl__sum *s)
{
    const irl_expr *best = NULL, *f[IRL__FACTOR_LIMIT];
    int             best_count = 1, i, j, k, n, count;
    for (i = 0; i < s->count; i++) {
        n = 0;
        if (an->terms[s->first + i].atom->op != IRL_OP_MUL || !irl__sum_factors(an->terms[s->first + i].atom, f, &n)) continue;
        for (j = n - 1; j >= 0; j--) {
            count = 0;
            for (k = 0; k < s->count; k++) count += irl__emit_has_factor(an->terms[s->first + k].atom, f[j]);
            if (count > best_count) {
                best_count = count;
                best = f[j];
            }
        }
    }
    return best;
}

/* atom divided by one factor; NULL for the atom itself (quotient 1). */
static const irl_expr *irl__emit_without_factor(irl__analyzer *an, const irl_expr *atom, const irl_expr *factor)
{
    const irl_expr *f[IRL__FACTOR_LIMIT];
    int             n = 0, k, m = 0, left = 1;
    if (!irl__sum_factors(atom, f, &n)) return NULL;
    for (k = 0; k < n; k++)
        if (f[k] != factor || !left) f[m++] = f[k];
        else left = 0;
    return m ? irl__sum_product(an, f, m) : NULL;
}

/* x*a + x*b + r is x*(a + b) + r. */
static const irl_expr *irl__emit_factored(irl__analyzer *an, const irl__sum *s, const irl_expr *factor)
{
    irl__sum        in = irl__sum_begin(an, s->type), out;
    const irl_expr *e = NULL;
    int             k, ok = 1;
    for (k = 0; ok && k < s->count; k++) {
        irl__term       t = an->terms[s->first + k];
        const irl_expr *rest;
        if (!irl__emit_has_factor(t.atom, factor)) continue;
        rest = irl__emit_without_factor(an, t.atom, factor);
        if (rest) ok = irl__sum_add_term(an, &in, rest, t.coef);
        else if (t.atom == factor) ok = irl__add64(in.constant, t.coef, &in.constant);
        else ok = 0;
    }
    if (ok) e = irl__sum_emit(an, &in);
    irl__sum_end(an, &in);
    if (!e) return NULL;
    e = irl__make2(an, IRL_OP_MUL, e, factor);
    if (!e) return NULL;
    out = irl__sum_begin(an, s->type);
    out.constant = s->constant;
    ok = irl__sum_add_term(an, &out, e, 1);
    for (k = 0; ok && k < s->count; k++) {
        irl__term t = an->terms[s->first + k];
        if (!irl__emit_has_factor(t.atom, factor)) ok = irl__sum_add_term(an, &out, t.atom, t.coef);
    }
    if (ok) e = irl__sum_emit(an, &out);
    irl__sum_end(an, &out);
    return ok ? e : NULL;
}

/* a*g + b*g is (a + b)*g where that is shorter: two or more terms lose their multiplication. */
static int64_t irl__emit_scale_outside(irl__analyzer *an, const irl__sum *s)
{
    int64_t g = s->constant == INT64_MIN ? 1 : irl__sum_gcd(an, s, s->constant);
    int     k, bare = 0;
    if (g <= 1) return 1;
    for (k = 0; k < s->count; k++) bare += irl__sum_magnitude(an->terms[s->first + k].coef) == (uint64_t)g;
    return bare >= 2 ? g : 1;
}

/* (r + c)/d + k as (r + c + k*d)/d; NULL where there is no constant c already: r/d + k is as short. */
static const irl_expr *irl__emit_constant_inside(irl__analyzer *an, const irl_expr *atom, int64_t k)
{
    const irl_expr *a;
    irl__sum        inner;
    int64_t         shift;
    if (atom->op != IRL_OP_FLOORDIV || atom->a[1]->op != IRL_OP_INT) return NULL;
    a = atom->a[0];
    if ((a->op != IRL_OP_ADD && a->op != IRL_OP_SUB) || a->a[1]->op != IRL_OP_INT) return NULL;
    inner = irl__sum_begin(an, atom->type);
    if (irl__mul64(k, atom->a[1]->u.i, &shift) && irl__sum_add_done(an, &inner, a, 1) && irl__add64(inner.constant, shift, &inner.constant))
        a = irl__sum_emit(an, &inner);
    else a = NULL;
    irl__sum_end(an, &inner);
    return a ? irl__make2(an, IRL_OP_FLOORDIV, a, atom->a[1]) : NULL;
}

/* s with its constant moved into a division, as a sum of its own; false if there is no such division. */
static int irl__emit_move_constant(irl__analyzer *an, const irl__sum *s, irl__sum *moved)
{
    int k, i, ok;
    if (s->constant == 0) return 0;
    for (k = 0; k < s->count; k++) {
        irl__term       t = an->terms[s->first + k];
        const irl_expr *atom = t.coef == 1 ? irl__emit_constant_inside(an, t.atom, s->constant) : NULL;
        if (!atom) continue;
        *moved = irl__sum_begin(an, s->type);
        for (i = 0, ok = 1; ok && i < s->count; i++) ok = irl__sum_add_term(an, moved, i == k ? atom : an->terms[s->first + i].atom, an->terms[s->first + i].coef);
        if (!ok) irl__sum_end(an, moved);
        return ok;
    }
    return 0;
}

static const irl_expr *irl__emit_scaled_outside(irl__analyzer *an, const irl__sum *s, int64_t g)
{
    irl__sum        scaled = irl__sum_begin(an, s->type);
    const irl_expr *e = NULL;
    int             k, ok = 1;
    for (k = 0; ok && k < s->count; k++) ok = irl__sum_add_term(an, &scaled, an->terms[s->first + k].atom, an->terms[s->first + k].coef / g);
    scaled.constant = s->constant / g;
    if (ok) e = irl__sum_emit_terms(an, &scaled);
    irl__sum_end(an, &scaled);
    return e ? irl__emit_scaled(an, e, g) : NULL;
}

const irl_expr *irl__sum_emit(irl__analyzer *an, const irl__sum *s)
{
    const irl_expr *factor, *e;
    irl__sum        moved;
    int64_t         g;
    int             k, choices = 0;
    if (s->count == 0) return irl_int(an->cx, s->type, s->constant);
    if (irl__emit_move_constant(an, s, &moved)) {
        e = irl__sum_emit(an, &moved);
        irl__sum_end(an, &moved);
        return e;
    }
    if (s->count == 1 && s->constant == 0) return irl__sum_emit_terms(an, s);
    irl__sum_sort(an, s);
    for (k = 0; k < s->count; k++) choices += an->terms[s->first + k].atom->op == IRL_OP_MIN || an->terms[s->first + k].atom->op == IRL_OP_MAX;
    if (s->count == 1) e = irl__sum_emit_terms(an, s);
    else if ((factor = irl__emit_common_factor(an, s)) != NULL) e = irl__emit_factored(an, s, factor);
    else if ((g = irl__emit_scale_outside(an, s)) != 1) e = irl__emit_scaled_outside(an, s, g);
    else e = irl__sum_emit_terms(an, s);
    return e && choices ? irl__sum_absorb(an, s, e) : e;
}

/* ------------------------------------------------------------------ ranges under facts */

/* The range of s, narrowed by facts about s without its constant, or about -s. */
irl__interval irl__sum_range_known(irl__analyzer *an, const irl__sum *s)
{
    irl__interval r = irl__sum_range(an, s);
    int           sign;
    if (an->fact_count == 0 || s->count < 2) return r;
    for (sign = 1; sign >= -1; sign -= 2) {
        irl__sum          t = irl__sum_begin(an, s->type);
        const irl_expr   *key = NULL;
        const irl__known *known;
        irl__interval     k;
        if (irl__sum_add_sum(an, &t, s, sign)) {
            t.constant = 0;
            key = irl__sum_emit(an, &t);
        }
        irl__sum_end(an, &t);
        known = key ? irl__known_find(an, key) : NULL;
        if (!known) continue;
        k = sign > 0 ? known->range : irl__interval_scale(known->range, -1);
        if (sign < 0 && known->range.hi == INT64_MAX) k.lo = INT64_MIN;
        if (sign < 0 && known->range.lo == INT64_MIN) k.hi = INT64_MAX;
        r = irl__interval_meet(r, irl__interval_make(k.lo == INT64_MIN ? INT64_MIN : irl__interval_add(k, irl__interval_make(s->constant, 0)).lo,
                                                     k.hi == INT64_MAX ? INT64_MAX : irl__interval_add(k, irl__interval_make(0, s->constant)).hi));
    }
    return r;
}
