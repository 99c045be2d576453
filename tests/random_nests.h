/* random_nests.h - random nests of loops around two stores, with a model of what they reach that
   shares no code with the library.

   func f(n: index, m: index, y: f32[...]) { for common loops { for own loops of the first
   { if (guard) y[...] = 1; } for own loops of the second { if (guard) y[...] = 2; } } }

   A number is right or has none (it leaves 64 bits); an iteration with a number that has none is
   not counted as reached: such a program fails when it runs. */
#ifndef IRL_TEST_RANDOM_NESTS_H
#define IRL_TEST_RANDOM_NESTS_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "random64.h"

enum {
    NEST_LOOPS = 5,
    NEST_PARAMS = 2,
    NEST_VARS = NEST_PARAMS + NEST_LOOPS,
    NEST_RANK = 2,
    NEST_TRIES = 5,  /* values of the parameters that are tried */
    NEST_MOST = 160, /* iterations of one store */
    NEST_NODES = 400,
    NEST_TEXT = 1 << 14
};

/* A node of an expression: kind, and what it is made of, by number. */
typedef struct nest_node {
    char kind; /* 0 number, v variable, + - * / % t (truncdiv) r (truncmod) m (min) M (max) ? ;
                  < l > g = n (comparisons) & | ! */
    int     a, b, c;
    int64_t number;
} nest_node;

typedef struct nest {
    int common, own[2]; /* loops; of each store those of its own stand inside the common */
    int min[2][NEST_LOOPS], extent[2][NEST_LOOPS]; /* of all loops of a store, the common alike */
    int guard[2];                                  /* -1: none */
    int rank, index[2][NEST_RANK];
    int is_product; /* has products of names: not quasi-affine */
    int is_far;     /* has numbers near the ends of 64 bits */
    int count;
    nest_node node[NEST_NODES];
} nest;

static int nest_loops(const nest *n, int which) { return n->common + n->own[which]; }

/* ------------------------------------------------------------------ values */

static int nest_add(int64_t a, int64_t b, int64_t *out)
{
    if (b > 0 ? a > INT64_MAX - b : a < INT64_MIN - b) return 0;
    *out = a + b;
    return 1;
}

static int nest_multiply(int64_t a, int64_t b, int64_t *out)
{
    uint64_t x = a < 0 ? 0 - (uint64_t)a : (uint64_t)a, y = b < 0 ? 0 - (uint64_t)b : (uint64_t)b;
    uint64_t most = (uint64_t)INT64_MAX + ((a < 0) != (b < 0));
    if (x && y > most / x) return 0;
    *out = (a < 0) != (b < 0) ? (int64_t)(0 - x * y) : (int64_t)(x * y);
    return 1;
}

static int nest_divide(char kind, int64_t a, int64_t b, int64_t *out)
{
    int64_t q, r;
    if (b == 0 || (a == INT64_MIN && b == -1)) return 0;
    q = a / b;
    r = a % b;
    if ((kind == '/' || kind == '%') && r != 0 && (r < 0) != (b < 0)) q--, r += b;
    *out = kind == '/' || kind == 't' ? q : r;
    return 1;
}

static int nest_value(const nest *n, int at, const int64_t *var, int64_t *out);

static int nest_compare(char kind, int64_t a, int64_t b)
{
    switch (kind) {
    case '<': return a < b;
    case 'l': return a <= b;
    case '>': return a > b;
    case 'g': return a >= b;
    case '=': return a == b;
    default: return a != b;
    }
}

static int nest_two(const nest_node *e, int64_t a, int64_t b, int64_t *out)
{
    switch (e->kind) {
    case '+': return nest_add(a, b, out);
    case '-': return b == INT64_MIN ? a < 0 && (*out = a - b, 1) : nest_add(a, -b, out);
    case '*': return nest_multiply(a, b, out);
    case '/':
    case '%':
    case 't':
    case 'r': return nest_divide(e->kind, a, b, out);
    case 'm': *out = a < b ? a : b; return 1;
    case 'M': *out = a > b ? a : b; return 1;
    default: *out = nest_compare(e->kind, a, b); return 1;
    }
}

static int nest_value(const nest *n, int at, const int64_t *var, int64_t *out)
{
    const nest_node *e = &n->node[at];
    int64_t          a, b, c;
    switch (e->kind) {
    case 0: *out = e->number; return 1;
    case 'v': *out = var[e->a]; return 1;
    case '!': return nest_value(n, e->a, var, out) && ((*out = !*out), 1);
    case '&':
    case '|':
        if (!nest_value(n, e->a, var, out)) return 0;
        return (*out != 0) == (e->kind == '|') || nest_value(n, e->b, var, out);
    case ';': /* if_then_else */
        return nest_value(n, e->a, var, &a) && nest_value(n, a ? e->b : e->c, var, out);
    case '?': /* select: both are computed */
        if (!nest_value(n, e->a, var, &a) || !nest_value(n, e->b, var, &b) ||
            !nest_value(n, e->c, var, &c))
            return 0;
        *out = a ? b : c;
        return 1;
    default:
        return nest_value(n, e->a, var, &a) && nest_value(n, e->b, var, &b) &&
               nest_two(e, a, b, out);
    }
}

/* Is the store reached at these values, and which cell? */
static int nest_reaches(const nest *n, int which, const int64_t *var, int64_t *cell)
{
    int64_t min, extent, guard;
    int     k;
    for (k = 0; k < nest_loops(n, which); k++) {
        const int64_t v = var[NEST_PARAMS + k];
        if (!nest_value(n, n->min[which][k], var, &min) ||
            !nest_value(n, n->extent[which][k], var, &extent) || v < min)
            return 0;
        if ((uint64_t)v - (uint64_t)min >= (uint64_t)(extent < 0 ? 0 : extent)) return 0;
    }
    if (n->guard[which] >= 0 && (!nest_value(n, n->guard[which], var, &guard) || !guard)) return 0;
    for (k = 0; k < n->rank; k++)
        if (!nest_value(n, n->index[which][k], var, &cell[k])) return 0;
    return 1;
}

/* ------------------------------------------------------------------ making one */

static int nest_new(nest *n, char kind, int a, int b, int c, int64_t number)
{
    nest_node *e = &n->node[n->count < NEST_NODES ? n->count++ : NEST_NODES - 1];
    e->kind = kind;
    e->a = a;
    e->b = b;
    e->c = c;
    e->number = number;
    return (int)(e - n->node);
}

static int nest_number(nest *n, int64_t number) { return nest_new(n, 0, 0, 0, 0, number); }
static int nest_between(int lo, int hi) { return lo + random_below(hi - lo + 1); }

/* One of the first `vars` variables, of the parameters now and then. */
static int nest_var(nest *n, int vars)
{
    int k = vars == NEST_PARAMS || random_below(6) == 0
                ? random_below(NEST_PARAMS)
                : NEST_PARAMS + random_below(vars - NEST_PARAMS);
    return nest_new(n, 'v', k, 0, 0, 0);
}

static int nest_condition(nest *n, int vars, int depth);

/* Something over the first `vars` variables. */
static int nest_sum(nest *n, int vars, int depth)
{
    int what = random_below(depth > 0 ? 22 : 6), a, b;
    if (what < 3) return nest_var(n, vars);
    if (what == 3) return nest_number(n, nest_between(-3, 5));
    if (what < 6) {
        a = nest_var(n, vars);
        b = nest_number(n, nest_between(-3, 3));
        return nest_new(n, '*', a, b, 0, 0);
    }
    a = nest_sum(n, vars, depth - 1);
    if (what >= 15 && what < 18) {
        static const char by[] = "/%/%tr";
        b = nest_number(n, random_below(8) ? nest_between(1, 4) : nest_between(-3, -1));
        return nest_new(n, by[random_below(6)], a, b, 0, 0);
    }
    b = nest_sum(n, vars, depth - 1);
    if (what < 11) return nest_new(n, '+', a, b, 0, 0);
    if (what < 15) return nest_new(n, '-', a, b, 0, 0);
    if (what < 20) return nest_new(n, what == 18 ? 'm' : 'M', a, b, 0, 0);
    return nest_new(n, what == 20 ? '?' : ';', nest_condition(n, vars, depth - 1), a, b, 0);
}

static int nest_condition(nest *n, int vars, int depth)
{
    static const char compare[] = "<l>g=n<l>g";
    int               what = random_below(depth > 0 ? 9 : 5), a, b;
    if (what < 5) {
        a = nest_sum(n, vars, depth > 0 ? 1 : 0);
        b = random_below(3) ? nest_number(n, nest_between(-2, 5)) : nest_sum(n, vars, 0);
        return nest_new(n, compare[random_below(9)], a, b, 0, 0);
    }
    a = nest_condition(n, vars, depth - 1);
    if (what == 5) return nest_new(n, '!', a, 0, 0, 0);
    b = nest_condition(n, vars, depth - 1);
    return nest_new(n, what < 8 ? '&' : '|', a, b, 0, 0);
}

static int nest_extent(nest *n, int vars)
{
    int a;
    switch (random_below(8)) {
    case 0:
    case 1: return nest_new(n, 'v', random_below(NEST_PARAMS), 0, 0, 0);
    case 2: /* a triangle */
        a = nest_var(n, vars);
        return nest_new(n, '+', a, nest_number(n, nest_between(0, 2)), 0, 0);
    case 3:
        a = nest_var(n, vars);
        return nest_new(n, '-', nest_number(n, nest_between(1, 5)), a, 0, 0);
    case 4:
        a = nest_var(n, vars);
        return nest_new(n, 'm', a, nest_number(n, nest_between(1, 4)), 0, 0);
    default: return nest_number(n, nest_between(1, 5));
    }
}

static int nest_min(nest *n, int vars)
{
    int what = random_below(8);
    if (what < 5) return nest_number(n, 0);
    return what < 7 ? nest_number(n, nest_between(-2, 3)) : nest_var(n, vars);
}

/* An index near the ends of 64 bits, which may leave them. */
static int nest_far(nest *n, int e)
{
    int64_t far = random_below(2) ? INT64_MAX : INT64_MAX / nest_between(2, 5);
    n->is_far = 1;
    if (random_below(2)) {
        e = nest_new(n, '*', e, nest_number(n, INT64_MAX / nest_between(1, 9)), 0, 0);
        return e;
    }
    far -= random_below(6);
    e = nest_new(n, random_below(2) ? '+' : '-', e, nest_number(n, far), 0, 0);
    return random_below(3) ? e : nest_new(n, '/', e, nest_number(n, nest_between(2, 7)), 0, 0);
}

/* n * i + j */
static int nest_product(nest *n, int vars)
{
    int a = nest_new(n, 'v', random_below(NEST_PARAMS), 0, 0, 0), b = nest_var(n, vars);
    n->is_product = 1;
    a = nest_new(n, '*', b, a, 0, 0);
    return nest_new(n, '+', a, nest_sum(n, vars, 1), 0, 0);
}

static int nest_index(nest *n, int vars)
{
    int what = random_below(24), e;
    if (what == 0) return nest_product(n, vars);
    e = nest_sum(n, vars, what < 8 ? 2 : 1);
    return what == 1 ? nest_far(n, e) : e;
}

static void nest_make(nest *n)
{
    const int deep = nest_between(1, NEST_LOOPS);
    int       which, k;
    memset(n, 0, sizeof *n);
    n->common = random_below(3) ? deep : random_below(deep + 1);
    n->rank = nest_between(1, NEST_RANK);
    for (which = 0; which < 2; which++) {
        n->own[which] = random_below(deep - n->common + 1);
        for (k = 0; k < nest_loops(n, which); k++) {
            if (which && k < n->common) {
                n->min[1][k] = n->min[0][k];
                n->extent[1][k] = n->extent[0][k];
                continue;
            }
            n->min[which][k] = nest_min(n, NEST_PARAMS + k);
            n->extent[which][k] = nest_extent(n, NEST_PARAMS + k);
        }
        n->guard[which] = -1;
        if (random_below(3) == 0)
            n->guard[which] = nest_condition(n, NEST_PARAMS + nest_loops(n, which), 2);
        for (k = 0; k < n->rank; k++)
            n->index[which][k] = nest_index(n, NEST_PARAMS + nest_loops(n, which));
    }
    if (n->common == nest_loops(n, 0) && n->common == nest_loops(n, 1) && random_below(3) == 0)
        for (k = 0; k < n->rank; k++) /* the same but for a distance */
            n->index[1][k] =
                nest_new(n, '+', n->index[0][k], nest_number(n, nest_between(-2, 2)), 0, 0);
}

/* ------------------------------------------------------------------ as a text */

static void nest_name(const nest *n, int which, int var, char *out)
{
    static const char *const names[] = { "n", "m" };
    if (var < NEST_PARAMS) strcpy(out, names[var]);
    else
        sprintf(out, "%c%d",
                var - NEST_PARAMS < n->common ? 'i'
                : which                       ? 'b'
                                              : 'a',
                var - NEST_PARAMS);
}

static char *nest_print(const nest *n, int which, int at, char *out)
{
    const nest_node *e = &n->node[at];
    const char      *op = e->kind == 'l'   ? "<="
                          : e->kind == 'g' ? ">="
                          : e->kind == '=' ? "=="
                          : e->kind == 'n' ? "!="
                          : e->kind == '&' ? "&&"
                          : e->kind == '|' ? "||"
                                           : NULL;
    char             name[8];
    switch (e->kind) {
    case 0: return out + sprintf(out, e->number < 0 ? "(%lld)" : "%lld", (long long)e->number);
    case 'v': nest_name(n, which, e->a, name); return out + sprintf(out, "%s", name);
    case '!':
        out = nest_print(n, which, e->a, out + sprintf(out, "!("));
        return out + sprintf(out, ")");
    case '?':
    case ';':
        out = nest_print(n, which, e->a,
                         out + sprintf(out, e->kind == '?' ? "select(" : "if_then_else("));
        out = nest_print(n, which, e->b, out + sprintf(out, ", "));
        out = nest_print(n, which, e->c, out + sprintf(out, ", "));
        return out + sprintf(out, ")");
    case 'm':
    case 'M':
    case 't':
    case 'r':
        out += sprintf(out, "%s(",
                       e->kind == 'm'   ? "min"
                       : e->kind == 'M' ? "max"
                       : e->kind == 't' ? "truncdiv"
                                        : "truncmod");
        out = nest_print(n, which, e->a, out);
        out = nest_print(n, which, e->b, out + sprintf(out, ", "));
        return out + sprintf(out, ")");
    default:
        out = nest_print(n, which, e->a, out + sprintf(out, "("));
        out += op ? sprintf(out, " %s ", op) : sprintf(out, " %c ", e->kind);
        out = nest_print(n, which, e->b, out);
        return out + sprintf(out, ")");
    }
}

static char *nest_print_loop(const nest *n, int which, int k, char *out)
{
    char name[8];
    nest_name(n, which, NEST_PARAMS + k, name);
    out += sprintf(out, "for (%s: (", name);
    out = nest_print(n, which, n->min[which][k], out);
    out = nest_print(n, which, n->min[which][k], out + sprintf(out, ") .. ("));
    out = nest_print(n, which, n->extent[which][k], out + sprintf(out, " + "));
    return out + sprintf(out, ")) ");
}

static char *nest_print_store(const nest *n, int which, char *out)
{
    int k;
    for (k = n->common; k < nest_loops(n, which); k++) out = nest_print_loop(n, which, k, out);
    if (n->guard[which] >= 0) {
        out = nest_print(n, which, n->guard[which], out + sprintf(out, "if ("));
        out += sprintf(out, ") ");
    }
    out += sprintf(out, "y[");
    for (k = 0; k < n->rank; k++)
        out = nest_print(n, which, n->index[which][k], out + sprintf(out, k ? ", " : ""));
    return out + sprintf(out, "] = %d.0; ", which + 1);
}

static void nest_text(const nest *n, char *out)
{
    int k;
    out += sprintf(out, "func f(n: index, m: index, y: f32[%s]) { ",
                   n->rank == 1 ? "1000" : "1000, 1000");
    for (k = 0; k < n->common; k++) out = nest_print_loop(n, 0, k, out);
    out += sprintf(out, "{ ");
    out = nest_print_store(n, 0, out);
    out = nest_print_store(n, 1, out);
    sprintf(out, "} }");
}

/* ------------------------------------------------------------------ all iterations */

typedef struct nest_iteration {
    int64_t var[NEST_LOOPS], cell[NEST_RANK];
} nest_iteration;

typedef struct nest_list {
    int            count;
    nest_iteration at[NEST_MOST];
} nest_list;

/* For one choice of the parameters. */
typedef struct nest_iterations {
    nest_list of[2];
} nest_iterations;

static int nest_walk(const nest *n, int which, int k, int64_t *var, nest_list *list, int *work)
{
    int64_t min, extent, j, cell[NEST_RANK];
    if (++*work > 20000) return 0;
    if (k == nest_loops(n, which)) {
        if (!nest_reaches(n, which, var, cell)) return 1;
        if (list->count == NEST_MOST) return 0;
        memcpy(list->at[list->count].var, var + NEST_PARAMS, sizeof list->at[0].var);
        memcpy(list->at[list->count++].cell, cell, sizeof cell);
        return 1;
    }
    if (!nest_value(n, n->min[which][k], var, &min) ||
        !nest_value(n, n->extent[which][k], var, &extent))
        return 1;
    for (j = 0; j < extent; j++) {
        var[NEST_PARAMS + k] = min + j;
        if (!nest_walk(n, which, k + 1, var, list, work)) return 0;
    }
    return 1;
}

/* False: there are too many. */
static int nest_iterate(const nest *n, nest_iterations *all)
{
    static const int64_t tried[NEST_TRIES][NEST_PARAMS] = {
        { 3, 2 }, { 1, 4 }, { 0, 3 }, { 4, -1 }, { 5, 5 }
    };
    int64_t var[NEST_VARS];
    int     k, which, work = 0;
    if (n->count == NEST_NODES) return 0;
    for (k = 0; k < NEST_TRIES; k++)
        for (which = 0; which < 2; which++) {
            memset(var, 0, sizeof var);
            memcpy(var, tried[k], sizeof tried[k]);
            all[k].of[which].count = 0;
            if (!nest_walk(n, which, 0, var, &all[k].of[which], &work)) return 0;
        }
    return 1;
}

#endif
