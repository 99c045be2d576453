/* named_maps.h - random maps on symbolic extents: splits, fuses, rotations, reversals,
   strides, offsets; now and then one that loses. For tests that include random64.h. */
#ifndef IRL_TEST_NAMED_MAPS_H
#define IRL_TEST_NAMED_MAPS_H

#include "random64.h"

enum { PARAMETERS = 3 };

/* The map being made, in the context of its names. */
typedef struct named_map {
    irl_ctx        *cx;
    const irl_expr *parameters[PARAMETERS]; /* N, M, K */
    int             rank;
    const irl_expr *extents[IRL_MAX_RANK];
    const irl_map  *map;
} named_map;

static named_map now;

typedef struct axis_now {
    const irl_expr *e, *extent; /* values are below it */
} axis_now;

static const irl_expr *num(int64_t v) { return irl_expr_index(now.cx, v); }
static const irl_expr *op(irl_op o, const irl_expr *a, const irl_expr *b)
{
    return irl_expr_op2(now.cx, o, a, b);
}

static const irl_expr *some_extent(void)
{
    const irl_expr *p = now.parameters[random_below(PARAMETERS)];
    switch (random_below(6)) {
    case 0: return num(1 + random_below(5));
    case 1: return op(IRL_OP_MUL, p, num(2 + random_below(3)));
    case 2: return op(IRL_OP_ADD, p, num(1 + random_below(3)));
    case 3: return op(IRL_OP_MUL, p, now.parameters[random_below(PARAMETERS)]);
    default: return p;
    }
}

/* One step of random_maps.h, on extents with names. */
static int some_step(axis_now *a, int n)
{
    int             i = random_below(n), j = random_below(n), k;
    const irl_expr *by =
        random_below(2) ? num(2 + random_below(3)) : now.parameters[random_below(PARAMETERS)];
    axis_now        t = a[i];
    switch (random_below(8)) {
    case 0: case 1: /* split */
        if (n == 8) return n;
        for (k = n; k > i + 1; k--) a[k] = a[k - 1];
        a[i].e = op(IRL_OP_FLOORDIV, t.e, by);
        a[i].extent = op(IRL_OP_FLOORDIV, op(IRL_OP_SUB, op(IRL_OP_ADD, t.extent, by), num(1)), by);
        a[i + 1].e = op(IRL_OP_FLOORMOD, t.e, by);
        a[i + 1].extent = by;
        return n + 1;
    case 2: case 3: /* fuse */
        if (i == j) return n;
        a[i].e = op(IRL_OP_ADD, op(IRL_OP_MUL, t.e, a[j].extent), a[j].e);
        a[i].extent = op(IRL_OP_MUL, t.extent, a[j].extent);
        for (k = j; k + 1 < n; k++) a[k] = a[k + 1];
        return n - 1;
    case 4: a[i] = a[j], a[j] = t; return n;
    case 5: a[i].e = op(IRL_OP_SUB, op(IRL_OP_SUB, t.extent, num(1)), t.e); return n;
    case 6:
        a[i].e = op(IRL_OP_FLOORMOD,
                    op(IRL_OP_ADD, t.e, random_below(2) ? by : num(random_below(9))), t.extent);
        return n;
    default:
        if (random_below(2)) { /* offset */
            a[i].e = op(IRL_OP_ADD, t.e, by);
            a[i].extent = op(IRL_OP_ADD, t.extent, by);
        } else { /* stride */
            a[i].e = op(IRL_OP_MUL, t.e, by);
            a[i].extent = op(IRL_OP_MUL, t.extent, by);
        }
        if (random_below(12) == 0) a[i].e = op(IRL_OP_FLOORDIV, a[i].e, num(2)); /* mostly lossy */
        return n;
    }
}

/* Forgets the last one: other names, in this context. */
static void named_map_begin(irl_ctx *cx)
{
    static const char *const names[PARAMETERS] = { "N", "M", "K" };
    int                      k;
    memset(&now, 0, sizeof now);
    now.cx = cx;
    for (k = 0; k < PARAMETERS; k++)
        now.parameters[k] = irl_expr_var(cx, names[k], irl_type_of(IRL_INDEX, 1));
}

/* A map of 1 to 3 axes: now.map on now.extents. */
static void some_map(void)
{
    static const char *const names[] = { "i", "j", "k" };
    const irl_expr          *in[3], *out[8];
    axis_now                 a[9];
    int k, n, rank = now.rank = 1 + random_below(3), steps = 1 + random_below(4);
    for (k = 0; k < rank; k++) {
        a[k].e = in[k] = irl_expr_var(now.cx, names[k], irl_type_of(IRL_INDEX, 1));
        a[k].extent = now.extents[k] = some_extent();
    }
    for (n = rank; steps > 0; steps--) n = some_step(a, n);
    for (k = 0; k < n; k++) out[k] = a[k].e;
    now.map = irl_map_new(now.cx, rank, in, n, out, 0, NULL);
}

#endif
