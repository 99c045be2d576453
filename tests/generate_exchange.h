/* generate_exchange.h - kernels whose work-items write and read memory in phases, most behind a
   barrier, made at random, with a model that runs them: what is written when it is read, by whom.
   What another work-item has written is seen behind a barrier alone.

       for bind(group.x) (g: 2) { for (t: 3) { for bind(local.x) (l: 4) { alloc s: f32[16]
       scope(shared); s[l] = 1.0; barrier(shared); y[...] = s[3 - l]; barrier(shared); } } } */
#ifndef IRL_GENERATE_EXCHANGE_H
#define IRL_GENERATE_EXCHANGE_H

#include <stdio.h>
#include <string.h>
#include "random64.h"

enum { GX_PHASES = 4, GX_CELLS = 16, GX_ITEMS = 16, GX_VARS = 4 };

/* What a phase uses: g, t, l, m. */
typedef struct gx_phase {
    int is_write, coef[GX_VARS], constant, modulo; /* modulo 0: none */
    int guard, guard_is_less, guard_at;            /* of variable `guard`; -1: none */
    int waits;                                     /* 1: a barrier behind it, 2: of other memory */
} gx_phase;

typedef struct gx_case {
    int      extent[GX_VARS]; /* of m 1: no such loop; of t 0: none */
    int      t_outside;       /* t stands around the work-items */
    int      place;           /* of the memory: 0 in the group, 1 in the work-items, 2 in t */
    int      is_private;
    int      phases, is_racing; /* some do not wait */
    gx_phase phase[GX_PHASES];
    char     text[4000];
} gx_case;

typedef struct gx_run {
    uint16_t written[GX_CELLS];        /* bit k: phase k has written the cell, for all to see */
    uint16_t own[GX_ITEMS][GX_CELLS];  /* a work-item has, since it waited, or in its memory */
    uint16_t flows[GX_PHASES];            /* by readers: bit k: what phase k wrote came here */
    int      holes[GX_PHASES];            /* reads of what nobody had written */
} gx_run;

static const char *const gx_names[GX_VARS] = { "g", "t", "l", "m" };

static void gx_make_phase(const gx_case *c, gx_phase *p)
{
    const int l = c->extent[2], m = c->extent[3];
    memset(p, 0, sizeof *p);
    p->is_write = random_below(2);
    switch (random_below(8)) {
    case 0: p->coef[2] = -1, p->constant = l - 1; break;
    case 1: p->coef[2] = 1, p->constant = 1 + random_below(2); break;
    case 2: p->coef[2] = m, p->coef[3] = 1; break;
    case 3: p->coef[3] = l, p->coef[2] = 1; break;
    case 4: p->constant = random_below(3); break;
    case 5: p->coef[2] = 1, p->coef[1] = c->extent[1] > 0; break;
    case 6: p->coef[2] = 1, p->constant = random_below(4), p->modulo = l; break;
    default: p->coef[2] = 1; break;
    }
    if (m == 1) p->coef[3] = 0;
    p->guard = random_below(3) ? -1 : random_below(GX_VARS);
    if (p->guard >= 0 && c->extent[p->guard] < 2) p->guard = -1;
    p->guard_is_less = random_below(2);
    p->guard_at = random_below(3);
    p->waits = 1;
}

/* The first phase writes each work-item's cell, the last one reads, and no barrier ends it: what a
   loop around does next is an iteration's where the memory is new in each. */
static void gx_make_ends(gx_case *c)
{
    gx_phase *first = &c->phase[0], *last = &c->phase[c->phases - 1];
    first->is_write = first->waits = 1;
    first->guard = -1;
    first->coef[0] = first->coef[1] = first->constant = first->modulo = 0;
    first->coef[2] = c->extent[3];
    first->coef[3] = c->extent[3] > 1;
    last->is_write = last->waits = 0;
    last->guard = -1;
}

static char *gx_print_phase(const gx_case *c, const gx_phase *p, char *out)
{
    char cell[128], *at = cell;
    int  k, n = 0;
    if (p->modulo) *at++ = '(';
    for (k = 0; k < GX_VARS; k++)
        if (p->coef[k]) at += sprintf(at, "%s%d * %s", n++ ? " + " : "", p->coef[k], gx_names[k]);
    at += sprintf(at, "%s%d", n ? " + " : "", p->constant);
    if (p->modulo) sprintf(at, ") %% %d", p->modulo);
    if (p->guard >= 0)
        out += sprintf(out, "if (%s %s %d) ", gx_names[p->guard], p->guard_is_less ? "<" : "!=",
                       p->guard_at);
    if (p->is_write)
        out += sprintf(out, "s[%s] = f32(%s + l * 2 + %s); ", cell, c->extent[1] ? "t * 8" : "1",
                       c->extent[3] > 1 ? "m" : "0");
    else
        out += sprintf(out, "y[(g * 8 + l) * 4 + %s] = s[%s]; ", c->extent[3] > 1 ? "m" : "0",
                       cell);
    if (!p->waits) return out;
    return out + sprintf(out, p->waits == 1 ? "barrier(shared); " : "barrier(global); ");
}

static char *gx_print_memory(const gx_case *c, int place, char *out)
{
    if (c->place != place) return out;
    return out + sprintf(out, "alloc s: f32[%d] scope(%s); ", GX_CELLS,
                         c->is_private ? "local" : "shared");
}

static char *gx_print_t(const gx_case *c, char *out)
{
    return c->extent[1] ? gx_print_memory(c, 2, out + sprintf(out, "for (t: %d) { ", c->extent[1]))
                        : out;
}

static void gx_make(gx_case *c)
{
    const int is_racing = random_below(3) == 0;
    char     *out = c->text;
    int       k;
    memset(c, 0, sizeof *c);
    c->extent[0] = 1 + random_below(2);
    c->extent[1] = random_below(3) ? 1 + random_below(3) : 0;
    c->extent[2] = 2 + random_below(3);
    c->extent[3] = random_below(3) ? 1 : 2;
    c->t_outside = random_below(2);
    c->place = random_below(c->extent[1] ? 3 : 2);
    c->is_private = (c->place == 1 || (c->place == 2 && !c->t_outside)) && random_below(2);
    c->phases = 2 + random_below(GX_PHASES - 1);
    out += sprintf(out, "func f(y: f32[64]) { for bind(group.x) (g: %d) { ", c->extent[0]);
    out = gx_print_memory(c, 0, out);
    if (c->t_outside) out = gx_print_t(c, out);
    out += sprintf(out, "for bind(local.x) (l: %d) { ", c->extent[2]);
    if (c->extent[3] > 1) out += sprintf(out, "for bind(local.y) (m: %d) { ", c->extent[3]);
    out = gx_print_memory(c, 1, out);
    if (!c->t_outside) out = gx_print_t(c, out);
    for (k = 0; k < c->phases; k++) {
        gx_make_phase(c, &c->phase[k]);
        if (is_racing && random_below(2)) c->phase[k].waits = 2 * random_below(2);
    }
    if (random_below(2)) gx_make_ends(c);
    for (k = 0; k < c->phases; k++) {
        c->is_racing |= c->phase[k].waits != 1;
        out = gx_print_phase(c, &c->phase[k], out);
    }
    sprintf(out, "}%s%s } }", c->extent[3] > 1 ? " }" : "", c->extent[1] ? " }" : "");
}

/* ------------------------------------------------------------------ running it */

static void gx_touch(const gx_case *c, gx_run *r, int k, const int *at)
{
    const gx_phase *p = &c->phase[k];
    const int       item = at[2] * c->extent[3] + at[3];
    int             cell = p->constant, v;
    if (p->guard >= 0 && !(p->guard_is_less ? at[p->guard] < p->guard_at
                                            : at[p->guard] != p->guard_at))
        return;
    for (v = 0; v < GX_VARS; v++) cell += p->coef[v] * at[v];
    if (p->modulo) cell %= p->modulo;
    if (p->is_write) {
        r->own[item][cell] |= (uint16_t)(1 << k);
        return;
    }
    r->flows[k] |= r->written[cell] | r->own[item][cell];
    r->holes[k] += !(r->written[cell] | r->own[item][cell]);
}

static void gx_fresh(gx_run *r)
{
    memset(r->written, 0, sizeof r->written);
    memset(r->own, 0, sizeof r->own);
}

static void gx_wait(const gx_case *c, gx_run *r, int k)
{
    int item, cell;
    for (item = 0; item < GX_ITEMS && !c->is_private && c->phase[k].waits == 1; item++)
        for (cell = 0; cell < GX_CELLS; cell++) r->written[cell] |= r->own[item][cell];
}

static void gx_run_all(const gx_case *c, gx_run *r)
{
    const int fresh_t = c->place == 2 || (c->place == 1 && c->t_outside);
    int       at[GX_VARS], k;
    memset(r, 0, sizeof *r);
    for (at[0] = 0; at[0] < c->extent[0]; at[0]++) {
        gx_fresh(r);
        for (at[1] = 0; at[1] < (c->extent[1] ? c->extent[1] : 1); at[1]++) {
            if (fresh_t) gx_fresh(r);
            for (k = 0; k < c->phases; k++) {
                for (at[2] = 0; at[2] < c->extent[2]; at[2]++)
                    for (at[3] = 0; at[3] < c->extent[3]; at[3]++) gx_touch(c, r, k, at);
                gx_wait(c, r, k);
            }
        }
    }
}

#endif
