/* generate_counts.h - nests around several accesses of one buffer, made at random, with a model
   that counts what they touch one by one: strides, gaps, windows, / and %, guards, triangles,
   vectors. */
#ifndef IRL_GENERATE_COUNTS_H
#define IRL_GENERATE_COUNTS_H

#include <stdio.h>
#include <string.h>
#include "random64.h"

enum { GC_LOOPS = 5, GC_RANK = 3, GC_ACCESSES = 4, GC_CELLS = 1 << 16, GC_ITERATIONS = 20000 };

/* (sum of multiples of the loops + constant) op by, and more behind it */
typedef struct gc_index {
    int64_t coef[GC_LOOPS], constant, by, more;
    char    op; /* 0, '/' or '%' */
} gc_index;

typedef struct gc_case {
    int      loops, accesses, rank, lanes, stride; /* of the last index: lanes at a stride */
    int64_t  min[GC_LOOPS], extent[GC_LOOPS];
    int      triangle[GC_LOOPS]; /* extent is the loop before + 1 */
    int      slope[GC_LOOPS];    /* min moves with the loop before: by 1, -1 or 0 */
    int      guards;             /* g >= 0, or g != 0 */
    gc_index guard[2];
    int      is_unequal[2];
    gc_index index[GC_ACCESSES][GC_RANK];
    int64_t  shape[GC_RANK];
    int      type, line;
    int      runs[GC_LOOPS], is_given[GC_LOOPS]; /* what is asked */
    int64_t  value[GC_LOOPS];
    char     text[4000];
} gc_case;

static const struct gc_type {
    const char *name;
    int         bytes;
} gc_types[] = { { "f32", 4 }, { "u8", 1 }, { "f64", 8 }, { "i16", 2 }, { "f32x4", 16 } };

static int64_t gc_floor(int64_t a, int64_t b) { return a / b - (a % b != 0 && a < 0); }

static int64_t gc_value(const gc_case *c, const gc_index *x, const int64_t *at)
{
    int64_t v = x->constant;
    int     k;
    for (k = 0; k < c->loops; k++) v += x->coef[k] * at[k];
    if (x->op == '/') v = gc_floor(v, x->by);
    if (x->op == '%') v -= gc_floor(v, x->by) * x->by;
    for (k = 0; k < c->loops && x->more; k++) v += k == 0 ? x->more * at[0] : 0;
    return v;
}

static int gc_is_reached(const gc_case *c, const int64_t *at)
{
    int k;
    for (k = 0; k < c->guards; k++) {
        int64_t v = gc_value(c, &c->guard[k], at);
        if (c->is_unequal[k] ? v == 0 : v < 0) return 0;
    }
    return 1;
}

static void gc_make_index(const gc_case *c, gc_index *x, int is_guard)
{
    static const int coefs[] = { 1, 1, 1, 2, 3, -1, -1, -2, 4, 5, 7, 8 };
    int              k, n = 0;
    memset(x, 0, sizeof *x);
    for (k = 0; k < c->loops; k++)
        if (random_below(c->rank > 1 || is_guard ? 3 : 2) == 0)
            x->coef[k] = coefs[random_below(is_guard ? 6 : 12)], n++;
    if (!n) x->coef[random_below(c->loops)] = coefs[random_below(12)];
    x->constant = random_below(9) - 4;
    if (random_below(is_guard ? 6 : 4) == 0) {
        x->op = random_below(2) ? '/' : '%';
        x->by = 2 + random_below(6);
        if (random_below(3) == 0) x->more = 1 + random_below(3);
    }
}

static void gc_print(const gc_case *c, const gc_index *x, char *out)
{
    int k, n = 0;
    out += strlen(out);
    if (x->op) *out++ = '(';
    for (k = 0; k < c->loops; k++)
        if (x->coef[k])
            out += sprintf(out, "%s%ld * i%d", n++ ? " + " : "", (long)x->coef[k], k);
    out += sprintf(out, " + %ld", (long)x->constant);
    if (x->op) out += sprintf(out, ") %c %ld", x->op, (long)x->by);
    if (x->more) sprintf(out, " + %ld * i0", (long)x->more);
}

static void gc_put(gc_case *c)
{
    char *t = c->text;
    int   k, a;
    sprintf(t, "func f(x: %s[", gc_types[c->type].name);
    for (k = 0; k < c->rank; k++) sprintf(t + strlen(t), k ? ", %ld" : "%ld", (long)c->shape[k]);
    sprintf(t + strlen(t), "], y: %s[1]) { ", gc_types[c->type].name);
    for (k = 0; k < c->loops; k++) {
        sprintf(t + strlen(t), "for (i%d: %ld ", k, (long)c->min[k]);
        if (c->slope[k]) sprintf(t + strlen(t), "%c i%d ", c->slope[k] > 0 ? '+' : '-', k - 1);
        if (c->triangle[k]) sprintf(t + strlen(t), ".. + i%d + 1) ", k - 1);
        else sprintf(t + strlen(t), ".. + %ld) ", (long)c->extent[k]);
    }
    for (k = 0; k < c->guards; k++) {
        strcat(t, "if ("), gc_print(c, &c->guard[k], t);
        strcat(t, c->is_unequal[k] ? " != 0) " : " >= 0) ");
    }
    strcat(t, "{ ");
    for (a = 0; a < c->accesses; a++) {
        strcat(t, c->lanes > 1 ? "y[0] = lane(x[" : "y[0] = x[");
        for (k = 0; k < c->rank; k++) {
            if (k) strcat(t, ", ");
            if (k == c->rank - 1 && c->lanes > 1) strcat(t, "ramp(");
            gc_print(c, &c->index[a][k], t);
            if (k == c->rank - 1 && c->lanes > 1)
                sprintf(t + strlen(t), ", %d, %d)", c->stride, c->lanes);
        }
        strcat(t, c->lanes > 1 ? "], 0); " : "]; ");
    }
    strcat(t, "} }");
}

/* Calls for every iteration, or for those of the question. */
typedef void gc_see(void *user, const gc_case *c, const int64_t *at);
static void  gc_each(const gc_case *c, int k, int64_t *at, int is_asked, gc_see *see, void *user)
{
    int64_t v, min, end;
    if (k == c->loops) {
        if (gc_is_reached(c, at)) see(user, c, at);
        return;
    }
    min = c->min[k] + (c->slope[k] ? c->slope[k] * at[k - 1] : 0);
    end = min + (c->triangle[k] ? at[k - 1] + 1 : c->extent[k]);
    for (v = min; v < end; v++) {
        if (is_asked && !c->runs[k] && v != (c->is_given[k] ? c->value[k] : min)) continue;
        at[k] = v;
        gc_each(c, k + 1, at, is_asked, see, user);
    }
}

typedef struct gc_range {
    int64_t lo[GC_RANK], hi[GC_RANK];
    int     count;
} gc_range;

static void gc_range_see(void *user, const gc_case *c, const int64_t *at)
{
    gc_range *r = (gc_range *)user;
    int       a, k;
    for (a = 0; a < c->accesses; a++)
        for (k = 0; k < c->rank; k++) {
            int64_t v = gc_value(c, &c->index[a][k], at);
            if (v < r->lo[k]) r->lo[k] = v;
            if (v > r->hi[k]) r->hi[k] = v;
        }
    r->count++;
}

static gc_range gc_range_of(const gc_case *c)
{
    int64_t  at[GC_LOOPS] = { 0, 0, 0, 0, 0 };
    gc_range r;
    int      k;
    r.count = 0;
    for (k = 0; k < GC_RANK; k++) r.lo[k] = INT64_MAX, r.hi[k] = INT64_MIN;
    gc_each(c, 0, at, 0, gc_range_see, &r);
    return r;
}

static void gc_loops(gc_case *c)
{
    int64_t all = 1;
    int     k;
    for (k = 0; k < c->loops; k++) {
        c->min[k] = random_below(4) ? 0 : random_below(5) - 2;
        c->extent[k] = 1 + random_below(random_below(8) ? 8 : 40);
        c->triangle[k] = k && random_below(6) == 0;
        c->slope[k] = k && random_below(6) == 0 ? 1 - 2 * random_below(2) : 0;
        if (c->extent[k] > GC_ITERATIONS / 4 / all) c->extent[k] = 2;
        all *= c->triangle[k] ? 8 : c->extent[k];
        c->runs[k] = random_below(3) != 0;
        c->is_given[k] = random_below(2);
        c->value[k] = c->min[k] + random_below((int)c->extent[k]);
    }
}

static void gc_indices(gc_case *c)
{
    int a, k;
    for (a = 0; a < c->accesses; a++)
        for (k = 0; k < c->rank; k++) {
            if (a == 0 || random_below(8) == 0) gc_make_index(c, &c->index[a][k], 0);
            else {
                c->index[a][k] = c->index[0][k];
                c->index[a][k].constant += random_below(5) - 2;
            }
        }
}

/* False: it is too large; make another. */
static int gc_try(gc_case *c)
{
    static const int lines[] = { 64, 64, 32, 128, 16, 24, 100, 48 };
    int64_t          cells = 1;
    gc_range         r;
    int              a, k;
    memset(c, 0, sizeof *c);
    c->loops = 1 + random_below(GC_LOOPS);
    c->rank = 1 + random_below(GC_RANK);
    c->accesses = random_below(3) ? 1 : 2 + random_below(GC_ACCESSES - 1);
    c->type = random_below(5);
    c->line = lines[random_below(8)];
    c->lanes = c->type == 4 || random_below(6) ? 1 : 4;
    c->stride = random_below(3);
    gc_loops(c);
    gc_indices(c);
    c->guards = random_below(2) ? 0 : 1 + random_below(2);
    for (k = 0; k < c->guards; k++) {
        gc_make_index(c, &c->guard[k], 1);
        c->is_unequal[k] = random_below(4) == 0;
    }
    r = gc_range_of(c);
    if (!r.count || r.count > GC_ITERATIONS) return 0;
    for (k = 0; k < c->rank; k++) {
        for (a = 0; a < c->accesses; a++) {
            if (c->index[a][k].op == 0) c->index[a][k].constant -= r.lo[k];
        }
    }
    r = gc_range_of(c);
    for (k = 0; k < c->rank; k++) {
        if (r.lo[k] < 0) return 0;
        c->shape[k] = r.hi[k] + 1 + (k == c->rank - 1 ? (c->lanes - 1) * c->stride : 0) +
                      random_below(3);
        cells *= c->shape[k];
        if (cells > GC_CELLS) return 0;
    }
    gc_put(c);
    return 1;
}

static void gc_make(gc_case *c)
{
    while (!gc_try(c)) {}
}

/* What the first `accesses` touch, counted one by one. */
typedef struct gc_count {
    int64_t iterations, cells, lines;
    int     accesses;
    uint8_t cell[GC_CELLS], line[GC_CELLS * 16];
} gc_count;

static void gc_count_see(void *user, const gc_case *c, const int64_t *at)
{
    gc_count *n = (gc_count *)user;
    int       a, k, lane;
    n->iterations++;
    for (a = 0; a < n->accesses; a++)
        for (lane = 0; lane < c->lanes; lane++) {
            int64_t cell = 0, first, last, width = gc_types[c->type].bytes;
            for (k = 0; k < c->rank; k++)
                cell = cell * c->shape[k] + gc_value(c, &c->index[a][k], at);
            cell += lane * c->stride;
            n->cells += !n->cell[cell];
            n->cell[cell] = 1;
            last = (cell * width + width - 1) / c->line;
            for (first = cell * width / c->line; first <= last; first++) {
                n->lines += !n->line[first];
                n->line[first] = 1;
            }
        }
}

static void gc_count_all(const gc_case *c, int accesses, gc_count *n)
{
    int64_t at[GC_LOOPS] = { 0, 0, 0, 0, 0 };
    memset(n, 0, sizeof *n);
    n->accesses = accesses;
    gc_each(c, 0, at, 1, gc_count_see, n);
}

#endif
