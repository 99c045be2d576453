/* generate_named_counts.h - nests whose bounds have names, around a store, and how often it runs
   and what it touches for values of the names, one by one.

   func f(n: index, m: index, y: f32[...]) { for (a: n) for (b: m + 2) for (c: a) y[a / 4, b * 3 + c
   - 1] = 1.0; } */
#ifndef IRL_GENERATE_NAMED_COUNTS_H
#define IRL_GENERATE_NAMED_COUNTS_H

#include "random64.h"

#include <stdio.h>
#include <string.h>

enum { GN_LOOPS = 4, GN_VARS = GN_LOOPS + 2, GN_RANK = 3, GN_MOST = 4096, GN_TEXT = 2048 };

/* A sum of multiples of n, m and the loops' variables, of which a quotient or remainder is taken
   where `by` is above 0. */
typedef struct gn_sum {
    int coef[GN_VARS], constant, by, is_rest;
} gn_sum;

typedef struct gn_case {
    int    loops, rank, lanes;
    gn_sum min[GN_LOOPS], extent[GN_LOOPS], index[GN_RANK];
    gn_sum guard; /* at least 0; `by` says that there is one */
    char   text[GN_TEXT];
} gn_case;

typedef struct gn_count {
    int64_t iterations, cells;
    int64_t cell[GN_MOST][GN_RANK];
    int     stored;
} gn_count;

static const char *const gn_names[GN_VARS] = { "n", "m", "a", "b", "c", "d" };

static void gn_put(gn_case *c, const char *text)
{
    strncat(c->text, text, GN_TEXT - 1 - strlen(c->text));
}

static void gn_put_sum(gn_case *c, const gn_sum *s)
{
    char part[64];
    int  k;
    snprintf(part, sizeof part, "(%d", s->constant);
    gn_put(c, part);
    for (k = 0; k < GN_VARS; k++) {
        if (!s->coef[k]) continue;
        snprintf(part, sizeof part, " + %s * %d", gn_names[k], s->coef[k]);
        gn_put(c, part);
    }
    snprintf(part, sizeof part, s->by ? s->is_rest ? ") %% %d" : ") / %d" : ")", s->by);
    gn_put(c, part);
}

static int64_t gn_value(const gn_sum *s, const int64_t *var)
{
    int64_t sum = s->constant, q;
    int     k;
    for (k = 0; k < GN_VARS; k++) sum += s->coef[k] * var[k];
    if (!s->by) return sum;
    q = sum / s->by - (sum % s->by < 0);
    return s->is_rest ? sum - q * s->by : q;
}

static gn_sum gn_extent(int loop)
{
    gn_sum s;
    memset(&s, 0, sizeof s);
    s.constant = random_below(4) - 1;
    if (random_below(3)) s.coef[random_below(2)] = 1;
    else if (loop && random_below(3) == 0) s.coef[2 + random_below(loop)] = 1;
    else s.constant = 1 + random_below(5);
    return s;
}

static gn_sum gn_index(const gn_case *c)
{
    static const int strides[] = { 1, 1, 1, 2, 3, 4, 8, -1, 16 };
    gn_sum           s;
    int              k = random_below(3);
    memset(&s, 0, sizeof s);
    for (; k > 0; k--) s.coef[2 + random_below(c->loops)] = strides[random_below(9)];
    s.constant = random_below(3) ? 0 : random_below(9) - 4;
    if (random_below(5) == 0) s.coef[random_below(2)] = 1;
    if (random_below(4) == 0) {
        s.by = 2 + random_below(4);
        s.is_rest = random_below(2);
    }
    return s;
}

static void gn_make(gn_case *c)
{
    char part[64];
    int  k;
    memset(c, 0, sizeof *c);
    c->loops = 1 + random_below(GN_LOOPS);
    c->rank = 1 + random_below(GN_RANK);
    c->lanes = random_below(8) ? 1 : 4;
    gn_put(c, "func f(n: index, m: index, y: f32[1000");
    for (k = 1; k < c->rank; k++) gn_put(c, ", 1000");
    gn_put(c, "]) { ");
    for (k = 0; k < c->loops; k++) {
        if (random_below(5) == 0) c->min[k].constant = random_below(4);
        if (random_below(9) == 0) c->min[k].coef[random_below(2)] = 1;
        c->extent[k] = gn_extent(k);
        snprintf(part, sizeof part, "for (%s: ", gn_names[2 + k]);
        gn_put(c, part);
        gn_put_sum(c, &c->min[k]);
        gn_put(c, " .. ");
        gn_put_sum(c, &c->min[k]);
        gn_put(c, " + ");
        gn_put_sum(c, &c->extent[k]);
        gn_put(c, ") ");
    }
    if (random_below(6) == 0) {
        c->guard = gn_index(c);
        c->guard.by = c->guard.is_rest = 0;
        gn_put(c, "if (");
        gn_put_sum(c, &c->guard);
        gn_put(c, " >= 0) ");
        c->guard.by = 1;
    }
    gn_put(c, "y[");
    for (k = 0; k < c->rank; k++) {
        c->index[k] = gn_index(c);
        if (k) gn_put(c, ", ");
        if (c->lanes > 1 && k == c->rank - 1) gn_put(c, "ramp(");
        gn_put_sum(c, &c->index[k]);
    }
    gn_put(c, c->lanes > 1 ? ", 1, 4)] = broadcast(1.0, 4); }" : "] = 1.0; }");
}

static void gn_reach(const gn_case *c, const int64_t *var, gn_count *out)
{
    int64_t cell[GN_RANK];
    int     k, j, lane;
    if (c->guard.by && gn_value(&c->guard, var) < 0) return;
    out->iterations++;
    for (lane = 0; lane < c->lanes; lane++) {
        for (k = 0; k < c->rank; k++) cell[k] = gn_value(&c->index[k], var);
        cell[c->rank - 1] += lane;
        for (k = 0; k < out->stored; k++) {
            for (j = 0; j < c->rank && out->cell[k][j] == cell[j]; j++) {}
            if (j == c->rank) break;
        }
        if (k < out->stored || out->stored == GN_MOST) continue;
        memcpy(out->cell[out->stored++], cell, (size_t)c->rank * sizeof *cell);
        out->cells++;
    }
}

static void gn_walk(const gn_case *c, int loop, int64_t *var, gn_count *out)
{
    int64_t min, extent, k;
    if (loop == c->loops) {
        gn_reach(c, var, out);
        return;
    }
    min = gn_value(&c->min[loop], var);
    extent = gn_value(&c->extent[loop], var);
    for (k = 0; k < extent && out->stored < GN_MOST; k++) {
        var[2 + loop] = min + k;
        gn_walk(c, loop + 1, var, out);
    }
    var[2 + loop] = 0;
}

/* False where that are too many to be counted. */
static int gn_count_at(const gn_case *c, int64_t n, int64_t m, gn_count *out)
{
    int64_t var[GN_VARS] = { 0, 0, 0, 0, 0, 0 };
    out->iterations = out->cells = out->stored = 0;
    var[0] = n;
    var[1] = m;
    gn_walk(c, 0, var, out);
    return out->stored < GN_MOST;
}

#endif
