/* generate_flow.h - functions that write and read a temporary in several nests, made at random,
   with a model that runs them: which cells are written when they are read, and by whom.

       func f(n: index, y: f32[1]) { alloc a: f32[14, 9]; for (t: 3) { nest; nest; } nest; } */
#ifndef IRL_GENERATE_FLOW_H
#define IRL_GENERATE_FLOW_H

#include <stdio.h>
#include <string.h>
#include "random64.h"

enum {
    GF_NESTS = 4,
    GF_LOOPS = 3, /* t, i, j */
    GF_RANK = 2,
    GF_ACCESSES = 2 * GF_NESTS,
    GF_SIDE = 16,  /* cells of an axis that are looked at */
    GF_TRIES = 3
};

typedef struct gf_index {
    int coef[GF_LOOPS], constant, by;
    char op; /* 0, '/', '%' */
} gf_index;

typedef struct gf_nest {
    int      has_t, loops; /* t stands around it; i, j */
    int      min[2], extent[2], with_n[2], triangle; /* extent + n; j below i + 1 */
    int      has_guard, guard_is_less;
    gf_index guard;
    int      kind; /* 0 writes, 1 reads, 2 reads and writes */
    gf_index write[GF_RANK], read[GF_RANK];
} gf_nest;

typedef struct gf_case {
    int     rank, nests, t_extent; /* nests under t come first */
    gf_nest nest[GF_NESTS];
    int     accesses, nest_of[GF_ACCESSES], is_write[GF_ACCESSES];
    char    text[4000];
} gf_case;

static int gf_floor(int a, int b) { return a / b - (a % b != 0 && a < 0); }

static int gf_value(const gf_index *x, const int *at)
{
    int v = x->constant, k;
    for (k = 0; k < GF_LOOPS; k++) v += x->coef[k] * at[k];
    if (x->op == '/') return gf_floor(v, x->by);
    return x->op == '%' ? v - gf_floor(v, x->by) * x->by : v;
}

static gf_index gf_make_index(const gf_nest *s, int axis)
{
    gf_index x;
    memset(&x, 0, sizeof x);
    x.constant = random_below(4) ? random_below(3) : random_below(9);
    switch (random_below(10)) {
    case 0: x.coef[1] = -1, x.constant += 4; break;
    case 1: x.coef[1] = 2; break;
    case 2:
        if (s->loops > 1) x.coef[1] = 3, x.coef[2] = 1;
        else x.coef[1] = 3;
        break;
    case 3: x.coef[1] = 1, x.op = random_below(2) ? '/' : '%', x.by = 2 + random_below(2); break;
    case 4: x.coef[0] = s->has_t; break;
    case 5: x.coef[0] = s->has_t, x.coef[1] = 1; break;
    case 6: break; /* one cell */
    default: x.coef[s->loops > 1 && axis ? 2 : 1] = 1; break;
    }
    if (s->loops == 0) x.coef[1] = x.coef[2] = 0;
    return x;
}

static void gf_make_nest(const gf_case *c, gf_nest *s, int has_t)
{
    int k;
    memset(s, 0, sizeof *s);
    s->has_t = has_t;
    s->loops = random_below(8) ? 1 + random_below(2) : 0;
    s->kind = random_below(3);
    for (k = 0; k < s->loops; k++) {
        s->min[k] = random_below(4) ? 0 : random_below(3);
        s->extent[k] = 1 + random_below(5);
        s->with_n[k] = random_below(4) == 0;
    }
    s->triangle = s->loops == 2 && random_below(5) == 0;
    s->has_guard = random_below(3) == 0;
    s->guard_is_less = random_below(2);
    s->guard = gf_make_index(s, 0);
    for (k = 0; k < c->rank; k++) {
        s->write[k] = gf_make_index(s, k);
        s->read[k] = random_below(3) ? gf_make_index(s, k) : s->write[k];
    }
}

/* Writes most of it, so that much of what is read is covered. */
static void gf_make_wide(const gf_case *c, gf_nest *s)
{
    int k;
    s->kind = 0;
    s->loops = c->rank;
    s->triangle = 0;
    s->has_guard = random_below(4) == 0;
    s->guard = gf_make_index(s, 0);
    for (k = 0; k < c->rank; k++) {
        s->min[k] = 0;
        s->extent[k] = 7 + random_below(9);
        memset(&s->write[k], 0, sizeof s->write[k]);
        s->write[k].coef[1 + k] = 1;
    }
    if (random_below(4) == 0) s->write[0].op = '/', s->write[0].by = 2;
    if (c->rank > 1 && s->write[0].op && random_below(2))
        s->write[1] = s->write[0], s->write[1].op = '%';
}

static char *gf_print(const gf_index *x, char *out)
{
    static const char *const names[] = { "t", "i", "j" };
    int                      k, n = 0;
    if (x->op) *out++ = '(';
    for (k = 0; k < GF_LOOPS; k++)
        if (x->coef[k]) out += sprintf(out, "%s%d * %s", n++ ? " + " : "", x->coef[k], names[k]);
    out += sprintf(out, "%s%d", n ? " + " : "", x->constant);
    if (x->op) out += sprintf(out, ") %c %d", x->op, x->by);
    return out;
}

static char *gf_print_cell(const gf_case *c, const gf_index *x, char *out)
{
    int k;
    out += sprintf(out, "a[");
    for (k = 0; k < c->rank; k++) {
        if (k) out += sprintf(out, ", ");
        out = gf_print(&x[k], out);
    }
    return out + sprintf(out, "]");
}

static char *gf_print_nest(const gf_case *c, const gf_nest *s, char *out)
{
    int k;
    for (k = 0; k < s->loops; k++) {
        if (k && s->triangle) out += sprintf(out, "for (j: i + 1) ");
        else
            out += sprintf(out, "for (%c: %d .. %d + %d%s) ", "ij"[k], s->min[k], s->min[k],
                           s->extent[k], s->with_n[k] ? " + n" : "");
    }
    if (s->has_guard) {
        out = gf_print(&s->guard, out + sprintf(out, "if ("));
        out += sprintf(out, s->guard_is_less ? " < 3) " : " != 2) ");
    }
    if (s->kind == 1) out += sprintf(out, "if (");
    else out = gf_print_cell(c, s->write, out), out += sprintf(out, " = ");
    if (s->kind == 0) return out + sprintf(out, "1.0; ");
    out = gf_print_cell(c, s->read, out);
    return out + sprintf(out, s->kind == 2 ? " + 1.0; " : " < 0.5) y[0] = 2.0; ");
}

static void gf_make(gf_case *c)
{
    char *out = c->text;
    int   k, under;
    memset(c, 0, sizeof *c);
    c->rank = 1 + random_below(GF_RANK);
    c->nests = 2 + random_below(GF_NESTS - 1);
    c->t_extent = 1 + random_below(3);
    under = random_below(2) ? random_below(c->nests + 1) : 0;
    out += sprintf(out, "func f(n: index, y: f32[1]) { alloc a: f32[16%s]; ",
                   c->rank > 1 ? ", 16" : "");
    if (under) out += sprintf(out, "for (t: %d) { ", c->t_extent);
    for (k = 0; k < c->nests; k++) {
        gf_nest *s = &c->nest[k];
        if (under && k == under) out += sprintf(out, "} ");
        gf_make_nest(c, s, k < under);
        if (k == 0 && random_below(2)) gf_make_wide(c, s);
        out = gf_print_nest(c, s, out);
        if (s->kind) c->nest_of[c->accesses++] = k;
        if (s->kind != 1) c->nest_of[c->accesses] = k, c->is_write[c->accesses++] = 1;
    }
    if (under && under == c->nests) out += sprintf(out, "} ");
    sprintf(out, "}");
}

/* ------------------------------------------------------------------ running it */

typedef struct gf_run {
    uint16_t written[GF_SIDE][GF_SIDE]; /* bit k: access k has written the cell */
    uint16_t flows[GF_ACCESSES];        /* by readers: bit k: what access k wrote came here */
    int      holes[GF_ACCESSES];        /* reads of what nobody had written */
    int      outside;
    /* the iteration in question, and what was found there */
    int asked, asked_at[GF_LOOPS], is_hole;
} gf_run;

static void gf_touch(const gf_case *c, gf_run *r, int access, const gf_index *x, const int *at)
{
    int cell[GF_RANK] = { 0, 0 }, k;
    for (k = 0; k < c->rank; k++) {
        cell[k] = gf_value(&x[k], at);
        if (cell[k] < 0 || cell[k] >= GF_SIDE) {
            r->outside++;
            return;
        }
    }
    if (c->is_write[access]) {
        r->written[cell[0]][cell[1]] |= (uint16_t)(1 << access);
        return;
    }
    r->flows[access] |= r->written[cell[0]][cell[1]];
    if (r->written[cell[0]][cell[1]]) return;
    r->holes[access]++;
    if (access == r->asked && memcmp(at, r->asked_at, sizeof r->asked_at) == 0) r->is_hole = 1;
}

static void gf_run_nest(const gf_case *c, gf_run *r, int number, int first, int n, int k, int *at)
{
    const gf_nest *s = &c->nest[number];
    int            end, v;
    if (k < s->loops) {
        end = k && s->triangle ? at[1] + 1 : s->min[k] + s->extent[k] + (s->with_n[k] ? n : 0);
        for (v = k && s->triangle ? 0 : s->min[k]; v < end; v++) {
            at[k + 1] = v;
            gf_run_nest(c, r, number, first, n, k + 1, at);
        }
        return;
    }
    for (v = k; v < 2; v++) at[v + 1] = 0;
    v = gf_value(&s->guard, at);
    if (s->has_guard && !(s->guard_is_less ? v < 3 : v != 2)) return;
    if (s->kind) gf_touch(c, r, first++, s->read, at);
    if (s->kind != 1) gf_touch(c, r, first, s->write, at);
}

static void gf_run_all(const gf_case *c, gf_run *r, int n)
{
    int t, k, under = 0, first = 0, at[GF_LOOPS] = { 0, 0, 0 };
    while (under < c->nests && c->nest[under].has_t) under++;
    for (t = 0; under && t < c->t_extent; t++)
        for (k = 0, first = 0; k < under; k++) {
            at[0] = t;
            gf_run_nest(c, r, k, first, n, 0, at);
            first += 1 + (c->nest[k].kind == 2);
        }
    for (k = under, at[0] = 0; k < c->nests; k++) {
        gf_run_nest(c, r, k, first, n, 0, at);
        first += 1 + (c->nest[k].kind == 2);
    }
}

#endif
