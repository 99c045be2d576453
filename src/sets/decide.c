/* decide.c - do any integers satisfy the conditions of a system?

   needs     system.c; linear.c, which solves linear rows; the evaluation of expressions
   promises  NO is proved. YES is a point at which everything that was asked for, and all that is
             given of the iterations, were evaluated. UNKNOWN says why
   cost      bounded by the system's steps, whatever the conditions are

   Choices are decided last: if the rows alone have no solution, the choices do not matter, and a
   point that satisfies the rows may satisfy the choices by chance. Otherwise each choice is tried
   both ways, one after the other. A row with products, n*i + j = n*k + l, is divided into two if
   the rest is smaller than the factor: |j - l| < n, so j = l and i = k; if the rest is smaller than
   twice the factor, there are three cases. A product that remains becomes a new variable, which is
   enough for many proofs; to find a point, the names get numbers, and everything is linear. What no
   row says of one iteration, powers or bits, is evaluated at each of the iterations. */
#include "system.h"

enum {
    IRL__DECIDE_DEPTH = 48,  /* choices within choices */
    IRL__DECIDE_CASES = 3,   /* of a digit: from -3 to 3 times the factor */
    IRL__DECIDE_REPAIRS = 6, /* conditions added because an expression left 64 bits at a point */
    IRL__DECIDE_TRIALS = 120,
    IRL__DECIDE_POINTS = 1 << 14, /* steps, of each so many values */
    IRL__DECIDE_POINT = 8,
    IRL__DECIDE_AROUND = 128 /* variables of one iteration */
};

static const char irl__decide_steps[] = "too many steps";
static const char irl__decide_overflow[] = "a number does not fit 64 bits";
static const char irl__decide_product[] = "a product of names";
static const char irl__decide_memory[] = "it depends on values in memory";

/* ------------------------------------------------------------------ rows as integers */

static int irl__decide_row(irl__linear *l, const int *number, const irl__poly *p, int is_equal)
{
    int64_t *row = irl__linear_add(l, is_equal);
    if (!row) return 0;
    for (int k = 0; k < p->count; k++) row[number[p->terms[k].column]] = p->terms[k].coef;
    row[l->columns] = p->constant;
    return 1;
}

/* The rows, and one more (NULL: none), as integers. */
static irl__linear_answer irl__decide_linear(irl__system *s, const irl__poly *more)
{
    irl__arena_mark    mark = irl__scratch_begin(s->cx);
    int                number[IRL__LINEAR_COLUMNS], ok = 1;
    int64_t            point[IRL__LINEAR_COLUMNS];
    irl__linear_answer answer = IRL__LINEAR_FAILED;
    irl__linear        l;
    /* The columns that the rows use get numbers. */
    int count = 0;
    for (int k = 0; k < s->column_count; k++) number[k] = -1;
    for (int k = 0; k < s->row_count; k++)
        for (int j = 0; j < s->rows[k].p->count; j++) number[s->rows[k].p->terms[j].column] = 0;
    for (int k = 0; k < s->column_count; k++)
        if (number[k] == 0) number[k] = count++;
    for (int k = 0; more && k < more->count; k++)
        if (number[more->terms[k].column] < 0) number[more->terms[k].column] = count++;
    irl__linear_begin(&l, s->cx, count);
    for (int k = 0; ok && k < s->row_count; k++)
        ok = irl__decide_row(&l, number, s->rows[k].p, s->rows[k].is_equal);
    if (ok && more) ok = irl__decide_row(&l, number, more, 0);
    if (ok) answer = irl__linear_solve(&l, &s->steps, point);
    if (answer == IRL__LINEAR_POINT)
        for (int k = 0; k < s->column_count; k++)
            s->point[k] = number[k] < 0 ? 0 : point[number[k]];
    irl__scratch_end(s->cx, mark);
    return answer;
}

/* ------------------------------------------------------------------ what was asked, at a point */

/* The variables of one iteration, and their values. */
typedef struct irl__decide_at {
    irl__system    *s;
    int             count;
    const irl_expr *vars[IRL__DECIDE_AROUND];
    int64_t         values[IRL__DECIDE_AROUND];
    irl__no_value   why;
    const irl_expr *e;         /* the last that was evaluated */
    int             is_needed; /* to be true */
    int             is_memory; /* it uses what memory held */
    int             is_walk;   /* names have no values */
} irl__decide_at;

typedef enum irl__replay {
    IRL__REPLAY_TRUE,
    IRL__REPLAY_FALSE,
    IRL__REPLAY_NO_VALUE, /* at->why */
    IRL__REPLAY_MEMORY    /* what it reads is not known */
} irl__replay;

/* Of a column of degree 1: what stands for `var` in this copy, at the point. */
static int64_t irl__decide_at_point(const irl__system *s, const irl_expr *var, int copy)
{
    for (int k = 0; k < s->column_count; k++)
        if (s->columns[k].of == var && s->columns[k].copy == copy)
            return s->point[k] + s->columns[k].shift;
    return 0; /* nothing depends on it */
}

/* Another variable of the witness, which has each once. */
static int irl__decide_found(irl__system *s, const irl_expr *var, int copy, int64_t value)
{
    irl_value *v = s->found;
    for (int k = 0; k < s->found_count; k++, v++)
        if (v->var == var && v->copy == copy) return 1;
    if (s->found_count == IRL__LINEAR_COLUMNS) return 0;
    v->var = var;
    v->copy = copy;
    v->value = value;
    s->found_count++;
    return 1;
}

static int irl__decide_bind(irl__decide_at *at, const irl_expr *var, int64_t value)
{
    if (at->count == IRL__DECIDE_AROUND) return 0;
    at->vars[at->count] = var;
    at->values[at->count++] = value;
    return 1;
}

/* Every variable of an expression that nothing binds is a parameter. */
static int irl__decide_parameter(irl__visitor *v, const irl_expr *e)
{
    irl__decide_at *at = (irl__decide_at *)v->user;
    if (!(e->flags & IRL__HAS_VAR)) return 0;
    if (e->op != IRL_OP_VAR || e->type.is_pointer) return 1;
    for (int k = 0; k < at->count; k++)
        if (at->vars[k] == e) return 0;
    const int64_t value = irl__decide_at_point(at->s, e, 0);
    if (at->is_walk || irl__ptr_map_get(at->s->bound, e) || !irl__decide_bind(at, e, value) ||
        !irl__decide_found(at->s, e, irl__func_param_of(at->s->f, e) < 0 ? -1 : 0, value))
        at->is_memory = 1; /* no number could be bound */
    return 0;
}

static irl__replay irl__decide_value(irl__decide_at *at, const irl_expr *e, int64_t *out)
{
    irl__visitor     v = irl__visitor_make(at, irl__decide_parameter, NULL);
    at->e = e;
    at->is_needed = 0;
    if (e->flags & IRL__HAS_MEMORY) return IRL__REPLAY_MEMORY;
    irl__visit_expr(&v, e);
    if (at->is_memory) return IRL__REPLAY_MEMORY;
    memset(&at->why, 0, sizeof at->why);
    irl__fold_status status = irl__value_at_why(e, at->count, at->vars, at->values, out, &at->why);
    return status == IRL__FOLD_OK        ? IRL__REPLAY_TRUE
           : status == IRL__FOLD_NO_RULE ? IRL__REPLAY_MEMORY
                                         : IRL__REPLAY_NO_VALUE;
}

static irl__replay irl__decide_truth(irl__decide_at *at, const irl_expr *e)
{
    int64_t     value;
    irl__replay r = irl__decide_value(at, e, &value);
    at->is_needed = 1;
    return r == IRL__REPLAY_TRUE && !value ? IRL__REPLAY_FALSE : r;
}

/* The variable of a range, and whether it is in the range there. */
static irl__replay irl__decide_range(irl__decide_at *at, const irl__given *g, int copy)
{
    int64_t     min, extent, value = irl__decide_at_point(at->s, g->var, copy), gone;
    irl__replay r = irl__decide_value(at, g->value, &min);
    if (r == IRL__REPLAY_TRUE) r = irl__decide_value(at, g->extent, &extent);
    if (r != IRL__REPLAY_TRUE) return r;
    if (!irl__sub64(value, min, &gone) || gone < 0 || gone >= extent ||
        !irl__decide_bind(at, g->var, value) || !irl__decide_found(at->s, g->var, copy, value))
        return IRL__REPLAY_FALSE;
    return IRL__REPLAY_TRUE;
}

static irl__replay irl__decide_given(irl__decide_at *at, const irl__given *g, int copy)
{
    int64_t     value;
    if (g->kind == IRL__GIVEN_RANGE) return irl__decide_range(at, g, copy);
    if (g->kind == IRL__GIVEN_CONDITION) return irl__decide_truth(at, g->value);
    if (!irl__type_is_integer(g->value->type) && g->value->type.scalar != IRL_BOOL)
        return IRL__REPLAY_TRUE; /* no index is made of it but through a cast: no rule then */
    if (g->value->flags & IRL__HAS_MEMORY) return IRL__REPLAY_TRUE; /* the same */
    const irl__replay r = irl__decide_value(at, g->value, &value);
    return r == IRL__REPLAY_TRUE && !irl__decide_bind(at, g->var, value) ? IRL__REPLAY_MEMORY : r;
}

static irl__replay irl__decide_asked(irl__decide_at *at, const irl__system_asked *q, int *copy)
{
    int64_t     a, b;
    *copy = q->copy;
    if (!q->f) return irl__decide_truth(&at[q->copy], q->e);
    irl__replay r = irl__decide_value(&at[q->copy], q->e, &a);
    if (r != IRL__REPLAY_TRUE) return r;
    *copy = q->other;
    r = irl__decide_value(&at[q->other], q->f, &b);
    if (r != IRL__REPLAY_TRUE) return r;
    return irl__op_holds(q->op, a, b) ? IRL__REPLAY_TRUE : IRL__REPLAY_FALSE;
}

/* Is the part computed wherever e is, or wherever e is true (is_needed)? */
static int irl__decide_always(const irl_expr *e, const irl_expr *part, int is_needed)
{
    if (e == part) return 1;
    for (uint32_t k = 0; k < e->count; k++) {
        if (irl__expr_when(e, k) >= 0 && !(is_needed && e->op == IRL_OP_AND)) return 0;
        if (irl__decide_always(e->a[k], part, is_needed && e->op == IRL_OP_AND)) return 1;
    }
    return 0;
}

/* Evaluates everything at s->point, and keeps the values of its variables in s->found. *copy and
   why: where something has no value that must have one. */
static irl__replay irl__decide_replay(irl__system *s, int *copy, irl__no_value *why)
{
    irl__arena_mark mark = irl__scratch_begin(s->cx);
    irl__decide_at *at = IRL__SCRATCH(s->cx, irl__decide_at, IRL__SYSTEM_COPIES);
    irl__replay r = at ? IRL__REPLAY_TRUE : IRL__REPLAY_MEMORY;
    int         in = 0;
    s->found_count = 0;
    if (!at) s->failed = 1;
    for (int k = 0; at && k < IRL__SYSTEM_COPIES && r == IRL__REPLAY_TRUE; k++) {
        at[k].s = s;
        *copy = in = k;
        for (int j = 0; j < s->given_count[k] && r == IRL__REPLAY_TRUE; j++)
            r = irl__decide_given(&at[k], &s->given[k][j], k);
    }
    for (int k = 0; at && k < s->asked_count && r == IRL__REPLAY_TRUE; k++) {
        r = irl__decide_asked(at, &s->asked[k], &in);
        *copy = in;
    }
    if (at) *why = at[in].why;
    if (r == IRL__REPLAY_NO_VALUE && why->part &&
        !irl__decide_always(at[in].e, why->part, at[in].is_needed))
        why->part = NULL;
    irl__scratch_end(s->cx, mark);
    return r;
}

/* ------------------------------------------------------------------ rows with products */

static int irl__decide_is_product(const irl__system *s, const irl__poly_term *t)
{
    return s->columns[t->column].degree > 1;
}

static int irl__decide_has_product(const irl__system *s, const irl__poly *p)
{
    for (int k = 0; k < p->count; k++)
        if (irl__decide_is_product(s, &p->terms[k])) return 1;
    return 0;
}

/* A variable that an equation gives as a sum without products, and that stands in products of other
   rows; -1: none. */
static int irl__decide_solved(const irl__system *s, const irl__poly *p, int at)
{
    for (int k = 0; k < p->count; k++) {
        const int column = p->terms[k].column;
        if (p->terms[k].coef != 1 && p->terms[k].coef != -1) continue;
        for (int row = 0; row < s->row_count; row++) {
            const irl__poly *q = s->rows[row].p;
            if (row == at) continue;
            for (int j = 0; j < q->count; j++)
                if (irl__decide_is_product(s, &q->terms[j]) &&
                    irl__column_has(s, q->terms[j].column, column))
                    return k;
        }
    }
    return -1;
}

/* Puts what such an equation says into the products of other rows. Each equation is used once. */
static void irl__decide_put_in(irl__system *s)
{
    for (int k = 0; k < s->row_count; k++) {
        const irl__poly *p = s->rows[k].p;
        if (!s->rows[k].is_equal || irl__decide_has_product(s, p)) continue;
        int at = irl__decide_solved(s, p, k);
        if (at < 0) continue;
        /* c * x + rest = 0, c being 1 or -1: x = x - c * (c * x + rest) */
        int64_t c = p->terms[at].coef;
        const irl__poly *value =
            irl__poly_sum(s, p, -c, irl__poly_column(s, p->terms[at].column), 1);
        for (int j = 0; value && j < s->row_count; j++) {
            if (j == k || !irl__decide_has_product(s, s->rows[j].p)) continue;
            const irl__poly *changed =
                irl__poly_put_in(s, s->rows[j].p, p->terms[at].column, value);
            if (changed) s->rows[j].p = changed;
        }
    }
}

/* factor * variable * q + rest, where variable stands in no term of rest. */
typedef struct irl__decide_digit {
    int              row, variable, cases; /* cases: q is known to lie between -cases and cases */
    int64_t          factor;
    const irl__poly *q, *rest;
} irl__decide_digit;

/* A column without one of its factors, as a value. */
static const irl__poly *irl__decide_without(irl__system *s, int column, int variable)
{
    const irl__column c = s->columns[column];
    const irl__poly  *p = irl__poly_constant(s, 1);
    int               gone = 0;
    if (c.degree == 1) return p;
    for (int k = 0; k < c.degree; k++) {
        if (c.factor[k] == variable && !gone) gone = 1;
        else p = irl__poly_product(s, p, irl__poly_column(s, c.factor[k]));
    }
    return p;
}

/* Every product of p has the variable? Then takes p apart. */
static int irl__decide_take_apart(irl__system *s, const irl__poly *p, irl__decide_digit *d)
{
    d->factor = 0;
    for (int k = 0; k < p->count; k++) {
        if (irl__column_has(s, p->terms[k].column, d->variable))
            d->factor = irl__gcd64(p->terms[k].coef, d->factor);
        else if (irl__decide_is_product(s, &p->terms[k])) return 0;
    }
    if (d->factor == 0) return 0;
    d->q = irl__poly_constant(s, 0);
    d->rest = irl__poly_constant(s, p->constant);
    for (int k = 0; k < p->count && d->q && d->rest; k++) {
        const irl__poly one = irl__poly_of(&p->terms[k]);
        if (!irl__column_has(s, p->terms[k].column, d->variable))
            d->rest = irl__poly_sum(s, d->rest, 1, &one, 1);
        else
            d->q =
                irl__poly_sum(s, d->q, 1, irl__decide_without(s, p->terms[k].column, d->variable),
                              p->terms[k].coef / d->factor);
    }
    return d->q && d->rest;
}

/* Is sign * rest below `times` times factor * variable wherever the rows hold? */
static int irl__decide_is_below(irl__system *s, const irl__decide_digit *d, int sign, int times)
{
    int64_t          k;
    if (!irl__mul64(d->factor, times, &k)) return 0;
    const irl__poly *gap = irl__poly_sum(s, d->rest, sign, irl__poly_column(s, d->variable), -k);
    return gap && irl__decide_linear(s, gap) == IRL__LINEAR_EMPTY;
}

static int irl__decide_cases(irl__system *s, const irl__decide_digit *d)
{
    int sign = 1;
    for (int k = 0; k <= IRL__DECIDE_CASES; k++) {
        while (sign >= -1 && irl__decide_is_below(s, d, sign, k + 1)) sign -= 2;
        if (sign < -1) return k;
    }
    return -1;
}

/* What a row with products says in digits of one of its variables: the fewest cases; -1: not known.
 */
static int irl__decide_find_digit(irl__system *s, int row, irl__decide_digit *best)
{
    const irl__poly  *p = s->rows[row].p;
    irl__decide_digit d;
    int               k, found = -1;
    d.row = row;
    for (k = 0; k < p->count && !irl__decide_is_product(s, &p->terms[k]); k++) continue;
    if (k == p->count) return -1;
    for (int j = 0; j < s->columns[p->terms[k].column].degree && found != 0; j++) {
        d.variable = s->columns[p->terms[k].column].factor[j];
        if (j && d.variable == s->columns[p->terms[k].column].factor[j - 1]) continue;
        if (!irl__decide_take_apart(s, p, &d)) continue;
        d.cases = irl__decide_cases(s, &d);
        if (d.cases < 0 || (found >= 0 && d.cases >= found)) continue;
        found = d.cases;
        *best = d;
    }
    return found;
}

/* Takes apart what can be; *digit is a row of which several cases are left (cases 0: none). What it
   says holds whatever becomes of its row, which may be taken away for it. */
static void irl__decide_products(irl__system *s, irl__decide_digit *digit)
{
    irl__decide_digit d;
    digit->cases = 0;
    irl__decide_put_in(s);
    for (int k = 0; k < s->row_count; k++) {
        if (!s->rows[k].is_equal || !irl__decide_has_product(s, s->rows[k].p)) continue;
        if (irl__decide_find_digit(s, k, &d) < 0) continue;
        if (d.cases > 0) {
            if (digit->cases == 0 || d.cases < digit->cases) *digit = d;
            continue;
        }
        /* rows that contradict each other stay: what is below a factor is no question there */
        if (irl__decide_linear(s, NULL) == IRL__LINEAR_EMPTY) return;
        s->rows[k].p = d.rest;
        irl__system_hold(s, d.q, 1); /* looked at later in this loop */
        irl__decide_put_in(s);
    }
}

/* ------------------------------------------------------------------ choices */

/* Is a formula of rows true at the point? One that is not rows is not known to be. */
static int irl__decide_holds(const irl__system *s, const irl__formula *f)
{
    int64_t product;
    if (f->kind == IRL__FORMULA_BOTH)
        return irl__decide_holds(s, f->a) && irl__decide_holds(s, f->b);
    if (f->kind == IRL__FORMULA_EITHER)
        return irl__decide_holds(s, f->a) || irl__decide_holds(s, f->b);
    if (f->kind != IRL__FORMULA_ROW) return 0;
    int64_t sum = f->p->constant;
    for (int k = 0; k < f->p->count; k++)
        if (!irl__mul64(f->p->terms[k].coef, s->point[f->p->terms[k].column], &product) ||
            !irl__add64(sum, product, &sum))
            return 0;
    return f->is_equal ? sum == 0 : sum >= 0;
}

static irl_answer irl__decide_run(irl__system *s, int depth, int repairs);

/* The system with one formula more. */
static irl_answer irl__decide_with(irl__system *s, const irl__formula *f, int depth, int repairs)
{
    irl__system_saved saved;
    irl_answer        answer = IRL_UNKNOWN;
    if (irl__system_save(s, &saved)) {
        irl__system_add(s, f);
        if (!s->failed) answer = irl__decide_run(s, depth + 1, repairs);
    }
    irl__system_restore(s, &saved);
    return answer;
}

/* q = n and rest = -n * factor * variable, for each n that there may be. */
static irl_answer irl__decide_each_case(irl__system *s, const irl__decide_digit *d, int depth,
                                        int repairs)
{
    irl_answer known = IRL_NO;
    s->rows[d->row] = s->rows[--s->row_count];
    for (int n = -d->cases; n <= d->cases; n++) {
        irl__system_saved saved;
        irl_answer        answer = IRL_UNKNOWN;
        if (irl__system_save(s, &saved)) {
            irl__system_hold(s, irl__poly_plus(s, d->q, -n), 1);
            irl__system_hold(
                s, irl__poly_sum(s, d->rest, 1, irl__poly_column(s, d->variable), n * d->factor),
                1);
            answer = irl__decide_run(s, depth + 1, repairs);
        }
        irl__system_restore(s, &saved);
        if (answer == IRL_YES || s->failed) return answer;
        if (answer == IRL_UNKNOWN) known = IRL_UNKNOWN;
    }
    return known;
}

/* ------------------------------------------------------------------ the whole */

static irl_answer irl__decide_doubt(irl__system *s, const char *reason)
{
    if (!s->why) s->why = s->reason ? s->reason : reason;
    return IRL_UNKNOWN;
}

/* What has no value at the point because it leaves 64 bits stays within them from now on. True if
 * that is something new. */
static int irl__decide_repair(irl__system *s, int copy, const irl__no_value *why)
{
    const char      *reason = s->reason;
    if (why->status != IRL__FOLD_OVERFLOW || !why->part) return 0;
    const irl__poly *p = irl__system_value(s, why->part, copy);
    if (!p) return 0;
    const irl__poly *low =
        p->constant < 0 ? irl__poly_plus(s, irl__poly_plus(s, p, INT64_MAX), 1) : NULL;
    const irl__poly *high =
        p->constant >= 0 ? irl__poly_plus(s, irl__poly_sum(s, p, -1, NULL, 0), INT64_MAX) : NULL;
    s->reason = reason;
    irl__system_hold(s, low, 0);
    irl__system_hold(s, high, 0);
    return low || high;
}

/* The first choice that the point does not settle, or the first of all; -1: none. */
static int irl__decide_choice(const irl__system *s, int has_point)
{
    for (int k = 0; has_point && k < s->pending_count; k++)
        if (!irl__decide_holds(s, s->pending[k])) return k;
    return !has_point && s->pending_count ? 0 : -1;
}

static irl_answer irl__decide_run(irl__system *s, int depth, int repairs)
{
    irl__decide_digit digit;
    memset(&digit, 0, sizeof digit);
    for (;;) {
        irl__no_value      why;
        int                copy = 0;
        memset(&why, 0, sizeof why);
        if (s->products) irl__decide_products(s, &digit);
        irl__linear_answer answer = irl__decide_linear(s, NULL);
        if (answer == IRL__LINEAR_EMPTY) return IRL_NO;
        if (answer == IRL__LINEAR_FAILED) s->failed = 1;
        if (s->failed || s->steps <= 0) return irl__decide_doubt(s, irl__decide_steps);
        const char *doubt =
            answer == IRL__LINEAR_OVERFLOW ? irl__decide_overflow : irl__decide_steps;
        if (answer == IRL__LINEAR_POINT) {
            irl__replay r = irl__decide_replay(s, &copy, &why);
            if (r == IRL__REPLAY_TRUE && !s->asked_over) return IRL_YES;
            if (r == IRL__REPLAY_NO_VALUE && repairs > 0 && irl__decide_repair(s, copy, &why)) {
                repairs--;
                continue;
            }
            doubt = r == IRL__REPLAY_MEMORY ? irl__decide_memory : irl__decide_product;
        }
        if (depth == IRL__DECIDE_DEPTH) return irl__decide_doubt(s, irl__decide_steps);
        if (digit.cases > 0) return irl__decide_each_case(s, &digit, depth, repairs);
        int choice = irl__decide_choice(s, answer == IRL__LINEAR_POINT);
        if (choice >= 0) {
            const irl__formula *f = s->pending[choice];
            s->pending[choice] = s->pending[--s->pending_count];
            irl_answer first = irl__decide_with(s, f->a, depth, repairs);
            if (first == IRL_YES || s->failed) return first;
            irl_answer second = irl__decide_with(s, f->b, depth, repairs);
            return second == IRL_YES || first == IRL_NO ? second : IRL_UNKNOWN;
        }
        return irl__decide_doubt(s, doubt);
    }
}

/* ------------------------------------------------------------------ numbers for names */

/* The variable in the most products that have two that are not in the list; -1: no product has. */
static int irl__decide_worst(const irl__system *s, int count, const int *list)
{
    int uses[IRL__LINEAR_COLUMNS], n, best = -1;
    memset(uses, 0, sizeof uses);
    for (int k = 0; k < s->column_count; k++) {
        const irl__column *c = &s->columns[k];
        int                open = 0;
        for (int j = 0; c->degree > 1 && j < c->degree; j++) {
            for (n = 0; n < count && list[n] != c->factor[j]; n++) continue;
            open += n == count;
        }
        if (open < 2) continue;
        for (int j = 0; j < c->degree; j++) {
            for (n = 0; n < count && list[n] != c->factor[j]; n++) continue;
            if (n == count) uses[c->factor[j]]++;
        }
    }
    for (int k = 0; k < s->column_count; k++)
        if (uses[k] && (best < 0 || uses[k] > uses[best])) best = k;
    return best;
}

static irl_answer irl__decide_trial(irl__system *s, int count, const int *list, int number)
{
    static const int8_t values[] = { 1, 2, 3, 4, 5, 8, 7, 6, 16, 0, -1, 12 };
    const int           base = (int)sizeof values;
    irl__system_saved   saved;
    irl_answer          answer = IRL_UNKNOWN;
    if (irl__system_save(s, &saved)) {
        for (int k = 0; k < count; k++, number /= base)
            irl__system_hold(
                s, irl__poly_plus(s, irl__poly_column(s, list[k]), -values[number % base]), 1);
        answer = number ? IRL_UNKNOWN : irl__decide_run(s, 1, IRL__DECIDE_REPAIRS);
    }
    irl__system_restore(s, &saved);
    return answer;
}

/* A point where names are small numbers. */
static irl_answer irl__decide_by_numbers(irl__system *s)
{
    int list[IRL__SYSTEM_DEGREE], count = 0, next;
    while (count < IRL__SYSTEM_DEGREE && (next = irl__decide_worst(s, count, list)) >= 0)
        list[count++] = next;
    for (int k = 0; count && k < IRL__DECIDE_TRIALS && !s->failed && s->steps > 0; k++)
        if (irl__decide_trial(s, count, list, k) == IRL_YES) return IRL_YES;
    return IRL_UNKNOWN;
}

/* ------------------------------------------------------------------ one point after the other */

/* All values of the variables of copy 0. */
typedef struct irl__decide_walk {
    irl__decide_at at;
    int64_t        left; /* values that may still be looked at */
} irl__decide_walk;

static irl_answer irl__decide_from(irl__decide_walk *w, int k);

/* Does what is given inside of range k, or what was asked, depend on its variable? */
static int irl__decide_matters(const irl__system *s, int k)
{
    const irl_expr *var = s->given[0][k].var;
    for (int j = 0; j < s->asked_count; j++)
        if (irl__expr_uses_var(s->asked[j].e, var) ||
            (s->asked[j].f && irl__expr_uses_var(s->asked[j].f, var)))
            return 1;
    for (int j = k + 1; j < s->given_count[0]; j++) {
        const irl__given *g = &s->given[0][j];
        if (irl__expr_uses_var(g->value, var) ||
            (g->extent && irl__expr_uses_var(g->extent, var)))
            return 1;
    }
    return 0;
}

static irl_answer irl__decide_each(irl__decide_walk *w, int k)
{
    const irl__given *g = &w->at.s->given[0][k];
    const int         outer = w->at.count;
    int64_t           min, extent, value;
    irl_answer        answer = IRL_NO;
    if (irl__decide_value(&w->at, g->value, &min) != IRL__REPLAY_TRUE ||
        irl__decide_value(&w->at, g->extent, &extent) != IRL__REPLAY_TRUE)
        return IRL_UNKNOWN;
    if (extent > 1 && !irl__decide_matters(w->at.s, k)) extent = 1;
    for (int64_t i = 0; i < extent && answer == IRL_NO; i++) {
        if (!irl__add64(min, i, &value) || !irl__decide_bind(&w->at, g->var, value))
            return IRL_UNKNOWN;
        answer = irl__decide_from(w, k + 1);
        w->at.count = outer;
    }
    return answer;
}

/* Is all that was asked true there? */
static irl_answer irl__decide_there(irl__decide_walk *w)
{
    irl__system *s = w->at.s;
    int          copy;
    for (int k = 0; k < s->asked_count; k++) {
        w->at.is_memory = 0;
        const irl__replay r = irl__decide_asked(&w->at, &s->asked[k], &copy);
        if (r == IRL__REPLAY_FALSE) return IRL_NO;
        if (r != IRL__REPLAY_TRUE) return IRL_UNKNOWN;
    }
    s->found_count = 0;
    for (int k = 0; k < w->at.count; k++)
        if (!irl__ptr_map_get(s->bound, w->at.vars[k]) &&
            !irl__decide_found(s, w->at.vars[k], 0, w->at.values[k]))
            return IRL_UNKNOWN;
    return s->asked_over ? IRL_UNKNOWN : IRL_YES;
}

/* With values for what is given before k. Of names nothing is known. */
static irl_answer irl__decide_from(irl__decide_walk *w, int k)
{
    const irl__system *s = w->at.s;
    const irl__given  *g = k < s->given_count[0] ? &s->given[0][k] : NULL;
    if (w->left-- <= 0) return IRL_UNKNOWN;
    w->at.is_memory = 0;
    if (g && g->kind == IRL__GIVEN_RANGE) return irl__decide_each(w, k);
    const irl__replay r = g ? irl__decide_given(&w->at, g, 0) : IRL__REPLAY_TRUE;
    if (r == IRL__REPLAY_FALSE || r == IRL__REPLAY_NO_VALUE) return IRL_NO;
    const irl_answer answer = g ? irl__decide_from(w, k + 1) : irl__decide_there(w);
    return r == IRL__REPLAY_TRUE || answer == IRL_NO ? answer : IRL_UNKNOWN;
}

/* Of one iteration, in which no row says all: powers, bits. */
static irl_answer irl__decide_by_points(irl__system *s)
{
    irl__arena_mark  mark = irl__scratch_begin(s->cx);
    const int64_t    most = s->steps < IRL__DECIDE_POINTS ? s->steps : (int64_t)IRL__DECIDE_POINTS;
    irl_answer       answer = IRL_UNKNOWN;
    irl__decide_walk *w = IRL__SCRATCH(s->cx, irl__decide_walk, 1);
    if (w) {
        w->at.s = s;
        w->at.is_walk = 1;
        w->left = most * IRL__DECIDE_POINT;
        answer = irl__decide_from(w, 0);
        s->steps -= most - w->left / IRL__DECIDE_POINT;
    }
    irl__scratch_end(s->cx, mark);
    return answer;
}

irl_answer irl__system_decide(irl__system *s)
{
    irl__system_saved saved;
    irl_answer        answer = IRL_UNKNOWN;
    s->why = NULL;
    if (irl__system_save(s, &saved)) {
        answer = irl__decide_run(s, 0, IRL__DECIDE_REPAIRS);
        irl__system_restore(s, &saved);
        if (answer == IRL_UNKNOWN && s->products) answer = irl__decide_by_numbers(s);
        if (answer == IRL_UNKNOWN && s->copy_count == 1) answer = irl__decide_by_points(s);
    }
    return s->failed ? IRL_UNKNOWN : answer;
}
