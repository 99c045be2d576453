/* generate_accesses.h - functions of one access in a nest, made at random with a model of their
   own: right, or with one thing made wrong.

   promises  a right one stays inside of its buffers, which are as small as they may be, at every
             iteration; a wrong one leaves at some that is reached (for all values of the names) */
#ifndef IRL_GENERATE_ACCESSES_H
#define IRL_GENERATE_ACCESSES_H

#include <stdio.h>
#include <string.h>
#include "random64.h"

enum { GA_LOOPS = 4, GA_RANK = 3, GA_NODES = 400 };
enum {
    GA_CONST,
    GA_VAR,
    GA_ADD,
    GA_SUB,
    GA_MUL,
    GA_DIV,
    GA_MOD,
    GA_MIN,
    GA_MAX,
    GA_LT,
    GA_GE,
    GA_NE,
    GA_AND,
    GA_OR
};

typedef struct ga_node {
    int     op, a, b;
    int64_t v;
} ga_node;

typedef struct ga_case {
    ga_node node[GA_NODES];
    int     count, loops, rank, guard;                           /* guard: a node, -1: none */
    int     min[GA_LOOPS], extent[GA_LOOPS], triangle[GA_LOOPS]; /* triangle: j below i + 1 */
    int     index[GA_RANK];
    int64_t shape[GA_RANK];
    int     form, is_wrong, what;
    char    text[8000];
} ga_case;

static int ga_add(ga_case *c, int op, int a, int b, int64_t v)
{
    ga_node n;
    n.op = op, n.a = a, n.b = b, n.v = v;
    c->node[c->count] = n;
    return c->count++;
}
static int ga_const(ga_case *c, int64_t v) { return ga_add(c, GA_CONST, 0, 0, v); }

static int64_t ga_floordiv(int64_t a, int64_t b)
{
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static int64_t ga_eval(const ga_case *c, int k, const int64_t *i)
{
    const ga_node *n = &c->node[k];
    int64_t        a, b;
    if (n->op == GA_CONST) return n->v;
    if (n->op == GA_VAR) return i[n->v];
    a = ga_eval(c, n->a, i), b = ga_eval(c, n->b, i);
    switch (n->op) {
    case GA_ADD: return a + b;
    case GA_SUB: return a - b;
    case GA_MUL: return a * b;
    case GA_DIV: return ga_floordiv(a, b);
    case GA_MOD: return a - ga_floordiv(a, b) * b;
    case GA_MIN: return a < b ? a : b;
    case GA_MAX: return a > b ? a : b;
    case GA_LT: return a < b;
    case GA_GE: return a >= b;
    case GA_NE: return a != b;
    case GA_AND: return a && b;
    default: return a || b;
    }
}

static void ga_print(const ga_case *c, int k, char *out)
{
    static const char *const ops[] = { "",    "",    "+", "-",  "*",  "/",  "%",
                                       "min", "max", "<", ">=", "!=", "&&", "||" };
    const ga_node           *n = &c->node[k];
    char                    *p = out + strlen(out);
    if (n->op == GA_CONST) sprintf(p, n->v < 0 ? "(%ld)" : "%ld", (long)n->v);
    else if (n->op == GA_VAR) sprintf(p, "i%d", (int)n->v);
    else if (n->op == GA_MIN || n->op == GA_MAX) {
        sprintf(p, "%s(", ops[n->op]), ga_print(c, n->a, out), strcat(out, ", ");
        ga_print(c, n->b, out), strcat(out, ")");
    } else {
        strcat(out, "("), ga_print(c, n->a, out);
        sprintf(out + strlen(out), " %s ", ops[n->op]), ga_print(c, n->b, out), strcat(out, ")");
    }
}

/* A sum of multiples, now and then divided, wrapped or clamped. */
static int ga_index(ga_case *c)
{
    int k, bound, e = ga_const(c, random_below(7) - 3);
    for (k = 0; k < c->loops; k++) {
        int factor = random_below(3) ? random_below(8) - 3 : 0;
        if (factor)
            e = ga_add(c, GA_ADD, e,
                       ga_add(c, GA_MUL, ga_add(c, GA_VAR, 0, 0, k), ga_const(c, factor), 0), 0);
    }
    switch (random_below(6)) {
    case 0: return ga_add(c, GA_DIV, e, ga_const(c, 2 + random_below(5)), 0);
    case 1: return ga_add(c, GA_MOD, e, ga_const(c, 2 + random_below(9)), 0);
    case 2: /* one after the other, by every compiler */
        bound = ga_const(c, random_below(9));
        return ga_add(c, random_below(2) ? GA_MIN : GA_MAX, e, bound, 0);
    default: return e;
    }
}

static int ga_condition(ga_case *c)
{
    static const int ops[] = { GA_LT, GA_GE, GA_NE };
    int right = ga_const(c, random_below(12) - 2), left = ga_index(c);
    int a = ga_add(c, ops[random_below(3)], left, right, 0);
    if (random_below(3) || c->count > GA_NODES / 4) return a;
    right = ga_condition(c);
    return ga_add(c, random_below(2) ? GA_AND : GA_OR, a, right, 0);
}

/* Calls for each iteration that is reached. */
static void ga_each(const ga_case *c, int k, int64_t *i,
                    void (*see)(void *, const ga_case *, const int64_t *), void *user)
{
    int64_t v, end;
    if (k == c->loops) {
        if (c->guard < 0 || ga_eval(c, c->guard, i)) see(user, c, i);
        return;
    }
    end = c->min[k] + (c->triangle[k] ? i[k - 1] + 1 : c->extent[k]);
    for (v = c->min[k]; v < end; v++) i[k] = v, ga_each(c, k + 1, i, see, user);
}

typedef struct ga_seen {
    int64_t lo[GA_RANK], hi[GA_RANK];
    int     count, outside;
} ga_seen;

static void ga_see(void *user, const ga_case *c, const int64_t *i)
{
    ga_seen *s = (ga_seen *)user;
    int      k, out = 0;
    for (k = 0; k < c->rank; k++) {
        int64_t v = ga_eval(c, c->index[k], i);
        if (!s->count || v < s->lo[k]) s->lo[k] = v;
        if (!s->count || v > s->hi[k]) s->hi[k] = v;
        out |= v < 0 || v >= c->shape[k];
    }
    s->count++;
    s->outside += out;
}

static ga_seen ga_look(const ga_case *c)
{
    ga_seen s;
    int64_t i[GA_LOOPS] = { 0, 0, 0, 0 };
    memset(&s, 0, sizeof s);
    ga_each(c, 0, i, ga_see, &s);
    return s;
}

/* One thing wrong, of those that make a difference. */
static void ga_spoil(ga_case *c)
{
    ga_case right = *c;
    int     k = random_below(c->rank), j = random_below(c->loops), e = c->index[k];
    c->what = random_below(6);
    switch (c->what) {
    case 0: c->shape[k]--; break;
    case 1: c->index[k] = ga_add(c, GA_SUB, e, ga_const(c, 1), 0); break;
    case 2: c->index[k] = ga_add(c, GA_ADD, e, ga_const(c, 1), 0); break;
    case 3: c->index[k] = c->index[(k + 1) % c->rank], c->index[(k + 1) % c->rank] = e; break;
    case 4: c->extent[j]++; break;
    default: c->guard = -1; break;
    }
    c->is_wrong = 1;
    if (ga_look(c).outside) return;
    *c = right; /* it makes none */
    c->is_wrong = 1;
    c->what = 1;
    c->index[k] = ga_add(c, GA_SUB, e, ga_const(c, 1), 0);
}

static void ga_put_list(const ga_case *c, char *out)
{
    int k;
    for (k = 0; k < c->rank; k++) {
        if (k) strcat(out, ", ");
        if (c->form == 1) sprintf(out + strlen(out), "q%d", k);
        else if (c->form == 3 && k == c->rank - 1)
            strcat(out, "ramp("), ga_print(c, c->index[k], out), strcat(out, ", 0, 2)");
        else ga_print(c, c->index[k], out);
    }
}

static void ga_put(ga_case *c)
{
    char *t = c->text;
    int   k, is_read = random_below(2);
    sprintf(t, "func f(x: f32[");
    for (k = 0; k < c->rank; k++) sprintf(t + strlen(t), k ? ", %ld" : "%ld", (long)c->shape[k]);
    strcat(t, "], y: f32[1]) { ");
    for (k = 0; k < c->loops; k++) {
        if (c->triangle[k])
            sprintf(t + strlen(t), "for (i%d: %d .. + i%d + 1) ", k, c->min[k], k - 1);
        else sprintf(t + strlen(t), "for (i%d: %d .. + %d) ", k, c->min[k], c->extent[k]);
    }
    if (c->form == 2) {
        /* the guard as the predicate of a block, loops as its axes */
        strcat(t, "block b(z: spatial(1) = 0) ");
        if (c->guard >= 0) strcat(t, "where("), ga_print(c, c->guard, t), strcat(t, ") ");
        strcat(t, "{ ");
    } else if (c->guard >= 0 && c->form != 4) {
        int inverted = random_below(4) == 0;
        strcat(t, inverted ? "if (!(" : "if ("), ga_print(c, c->guard, t);
        strcat(t, inverted ? ")) {} else " : ") ");
    }
    strcat(t, "{ ");
    for (k = 0; k < c->rank && c->form == 1; k++) {
        sprintf(t + strlen(t), "let q%d = ", k), ga_print(c, c->index[k], t), strcat(t, "; ");
    }
    if (c->form == 4) { /* the arm of a choice */
        strcat(t, "y[0] = ");
        if (c->guard >= 0) ga_print(c, c->guard, t), strcat(t, " ? ");
        strcat(t, "x["), ga_put_list(c, t), strcat(t, c->guard >= 0 ? "] : 0.0; " : "]; ");
    } else if (is_read) {
        strcat(t, c->form == 3 ? "y[0] = lane(x[" : "y[0] = x["), ga_put_list(c, t);
        strcat(t, c->form == 3 ? "], 1); " : "]; ");
    } else {
        strcat(t, "x["), ga_put_list(c, t),
            strcat(t, c->form == 3 ? "] = broadcast(1.0, 2); " : "] = 1.0; ");
    }
    strcat(t, c->form == 2 ? "} } }" : "} }");
}

static void ga_make(ga_case *c, int is_wrong)
{
    ga_seen s;
    int64_t cells;
    int     k;
    do {
        memset(c, 0, sizeof *c);
        c->loops = 1 + random_below(GA_LOOPS);
        c->rank = 1 + random_below(GA_RANK);
        c->form = random_below(5);
        for (k = 0; k < c->loops; k++) {
            c->min[k] = random_below(4) ? 0 : random_below(4);
            c->extent[k] = 1 + random_below(9);
            c->triangle[k] = k && c->min[k] == 0 && random_below(6) == 0;
        }
        for (k = 0; k < c->rank; k++) c->index[k] = ga_index(c);
        c->guard = random_below(2) ? ga_condition(c) : -1;
        s = ga_look(c);
        for (k = 0, cells = 1; k < c->rank; k++) cells *= s.hi[k] - s.lo[k] + 1;
    } while (s.count == 0 || c->count > GA_NODES / 4 || cells > 1 << 14);
    for (k = 0; k < c->rank; k++) {
        if (s.lo[k]) c->index[k] = ga_add(c, GA_SUB, c->index[k], ga_const(c, s.lo[k]), 0);
        c->shape[k] = s.hi[k] - s.lo[k] + 1;
    }
    if (is_wrong) ga_spoil(c);
    ga_put(c);
}

/* With names: what is right for all values, and what is wrong for all for which the loops run. */
static const char *const ga_right_names[] = {
    "func f(n: index, x: f32[n]) { for (i: n) x[i] = 1.0; }",
    "func f(n: index, x: f32[n]) { for (i: n) x[n - 1 - i] = 1.0; }",
    "func f(n: index, m: index, x: f32[n, m]) { for (j: m, i: n) x[i, j] = 1.0; }",
    "func f(n: index, m: index, x: f32[n * m]) { for (i: n, j: m) x[i * m + j] = 1.0; }",
    "func f(n: index, x: f32[n]) { for (i: (n + %d) / (%d + 1), j: %d + 1) if (i * (%d + 1) + j < "
    "n) x[i * (%d + 1) + j] = 1.0; }",
    "func f(n: index, x: f32[n]) { for (i: %d .. n - %d) x[i + %d] = x[i - %d]; }",
    "func f(n: index, x: f32[n]) { for (i: n) x[min(i + %d, n - 1)] = x[max(i - %d, 0)]; }",
    "func f(n: index, x: f32[n]) { for (i: n) x[(i * 3 + %d) %% n] = 1.0; }",
    "func f(n: index, x: f32[n + %d]) { for (i: n) x[i + %d] = 1.0; }",
    "func f(n: index, x: f32[n]) { for (i: n) if (i >= %d) x[i - %d] = 1.0; }",
    "func f(n: index, x: f32[n, n]) { for (i: n) for (j: i + 1) x[i, i - j] = 1.0; }",
    "func f(n: index, x: f32[n, %d]) { for (i: %d * n) x[i / %d, i %% %d] = 1.0; }",
    "func f(n: index, x: f32[%d + 3]) { assume(n <= %d + 3); for (i: n) x[i] = 1.0; }",
    "func f(n: index, x: f32[n]) { for (i: n) { let q = n - i; x[q - 1] = 1.0; } }",
    "func f(n: index, x: f32[n]) { for (i: n) block b(v: spatial(n) = i) { x[v] = 1.0; } }",
    "func f(n: index, m: index, x: f32[n]) { for (i: m) x[min(i, n) %% n] = 1.0; }",
    "func f(n: index, x: f32[n]) { for (i: n) if (i < n - %d) for (k: %d + 1) x[i + k] = 1.0; }",
    "func f(n: index, x: f32[n]) { for (i: n) if (i >= %d && i < n - %d) for (k: 2 * %d + 1) "
    "x[i + k - %d] = 1.0; }",
    "func f(n: index, x: f32[n], y: f32[n]) { for (i: n) if (i == 0 || i == n - 1) y[i] = 0.0; "
    "else y[i] = sum(k: -1 .. 2, x[i + k]); }",
    "func f(n: index, x: f32[n], y: f32[n]) { for (i: n) y[i] = sum(k: max(i - %d, 0) .. min(i + "
    "%d, n), x[k]); }",
    "func f(n: index, x: f32[n]) { for (i: n) { let hi = min(i + %d, n); for (k: hi) x[k] = 1.0; } "
    "}",
    "func f(n: index, m: index, x: f32[n], y: f32[m]) { for (i: min(n, m)) x[i] = y[i]; }",
    "func f(n: index, m: index, x: f32[n, m]) { for (i: n) for (j: m) if (j + i < m - %d) for (k: "
    "%d) x[i, i + j + k] = 1.0; }",
};
static const char *const ga_wrong_names[] = {
    "func f(n: index, x: f32[n]) { for (i: n + %d) x[i] = 1.0; }",
    "func f(n: index, x: f32[n]) { for (i: n) x[n - i] = 1.0; }",
    "func f(n: index, m: index, x: f32[n, m]) { for (j: m, i: n) x[i + %d, j] = 1.0; }",
    "func f(n: index, m: index, x: f32[n * m]) { for (i: n, j: m) x[i * m + j + %d] = 1.0; }",
    "func f(n: index, x: f32[n]) { for (i: n) x[i - %d] = 1.0; }",
    "func f(n: index, x: f32[n]) { for (i: %d .. n) x[i + 1] = 1.0; }",
    "func f(n: index, x: f32[n]) { for (i: n) x[max(i + %d, 0)] = 1.0; }",
    "func f(n: index, x: f32[n + %d]) { for (i: n) x[i + %d + 1] = 1.0; }",
    "func f(n: index, x: f32[n, n]) { for (i: n) for (j: i + 2) x[i, j] = 1.0; }",
    "func f(n: index, x: f32[n, n]) { for (i: n) for (j: i + 1) x[i - j - 1, j] = 1.0; }",
    "func f(n: index, x: f32[n, %d]) { for (i: %d * n) x[i / %d + 1, 0] = 1.0; }",
    "func f(n: index, x: f32[%d]) { assume(n > %d); for (i: n) x[i] = 1.0; }",
    "func f(n: index, x: f32[n]) { for (i: n) { let q = n - i; x[q] = 1.0; } }",
    "func f(n: index, x: f32[n]) { for (i: n) block b(v: spatial(n + 1) = i + 1) { x[v] = 1.0; } }",
    "func f(n: index, m: index, x: f32[n]) { for (i: n, j: m) x[i * 1 + n] = 1.0; }",
    "func f(n: index, x: f32[n]) { for (i: n) x[i] = x[i + %d]; }",
    "func f(n: index, x: f32[n], y: f32[n]) { for (i: n) y[i] = sum(k: max(i - %d, 0) .. min(i + "
    "%d, n) + 1, x[k]); }",
    "func f(n: index, x: f32[n], y: f32[n]) { for (i: n) y[i] = sum(k: min(i - %d, 0) .. max(i, "
    "1), x[k]); }",
};
/* Outside for some values of the names for which the loops run; not proved to be for all. */
static const char *const ga_wrong_sometimes[] = {
    "func f(n: index, x: f32[n]) { for (i: n) if (i < n - %d) for (k: %d + 2) x[i + k] = 1.0; }",
    "func f(n: index, x: f32[n]) { for (i: n) if (i >= %d && i < n) for (k: 2 * %d + 1) x[i + k - "
    "%d] = 1.0; }",
    "func f(n: index, m: index, x: f32[n], y: f32[m]) { for (i: max(n, m)) x[i] = y[i]; }",
};
/* Gathers: kept inside; not known. */
static const char *const ga_right_gathers[] = {
    "func f(k: i32[9], x: f32[%d]) { for (i: 9) x[index(k[i]) %% %d] = 1.0; }",
    "func f(k: i32[9], x: f32[%d]) { for (i: 9) x[min(max(index(k[i]), 0), %d - 1)] = 1.0; }",
    "func f(k: i32[9], x: f32[%d]) { for (i: 9) if (k[i] >= 0 && k[i] < %d) x[index(k[i])] = 1.0; "
    "}",
    "func f(k: i32[9], x: f32[%d]) { for (i: 9) { let q = index(k[i]); if (q >= 0 && q < %d) x[q] "
    "= 1.0; } }",
    "func f(k: u8[9], x: f32[256 + %d]) { for (i: 9) x[index(k[i]) + %d] = 1.0; }",
};
static const char *const ga_wrong_gathers[] = {
    "func f(k: i32[9], x: f32[%d]) { for (i: 9) x[index(k[i])] = 1.0; }",
    "func f(k: i32[9], x: f32[%d]) { for (i: 9) x[index(k[i]) %% (%d + 1)] = 1.0; }",
    "func f(k: i32[9], x: f32[%d]) { for (i: 9) x[min(max(index(k[i]), 0), %d)] = 1.0; }",
    "func f(k: i32[9], x: f32[%d]) { for (i: 9) if (k[i] >= 0 && k[i] <= %d) x[index(k[i])] = 1.0; "
    "}",
    "func f(k: u8[9], x: f32[254 + %d]) { for (i: 9) x[index(k[i]) + %d] = 1.0; }",
};

/* A template with one number wherever it wants one. */
static void ga_fill(char *out, const char *const *list, int count, int number)
{
    sprintf(out, list[random_below(count)], number, number, number, number, number);
}

#endif
