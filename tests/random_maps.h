/* random_maps.h - random index maps as recipes: a shape and steps, so that a failing one can be
   made smaller. */
#ifndef IRL_TEST_RANDOM_MAPS_H
#define IRL_TEST_RANDOM_MAPS_H

typedef enum step_kind {
    SPLIT,
    FUSE,
    PERMUTE,
    OFFSET,
    ROTATE,
    REVERSE,
    STRIDE,
    SKEW,
    DROP,
    CENSUS_KINDS,
    DUPLICATE = CENSUS_KINDS,
    CONSTANT,
    XOR,
    MORTON,
    SERPENTINE,
    GAP,
    CLAMP,
    MULTIPLY,
    RATIO,
    MINMAX,
    LET,
    MASK,
    SQUARE,
    STEP_KINDS
} step_kind;

static const char *const step_names[STEP_KINDS] = { "split",    "fuse",       "permute",  "offset",
                                                    "rotate",   "reverse",    "stride",   "skew",
                                                    "drop",     "duplicate",  "constant", "xor",
                                                    "morton",   "serpentine", "gap",      "clamp",
                                                    "multiply", "ratio",      "minmax",
                                                    "let",      "mask",       "square" };

typedef struct step {
    int kind, at, other, value;
} step;

enum { MOST_STEPS = 6, MOST_AXES = 6, MOST_OUTPUTS = 12 };

typedef struct recipe {
    irl_shape shape;
    int       count;
    step      steps[MOST_STEPS];
} recipe;

typedef struct axis_now {
    const irl_expr *e;
    int64_t         extent; /* values are below it */
} axis_now;

static irl_ctx *cx;

static const irl_expr *num(int64_t v) { return irl_expr_index(cx, v); }
static const irl_expr *op(irl_op o, const irl_expr *a, const irl_expr *b)
{
    return irl_expr_op2(cx, o, a, b);
}

static int64_t gcd(int64_t a, int64_t b) { return b ? gcd(b, a % b) : a; }

static int is_power(int64_t n) { return n > 0 && (n & (n - 1)) == 0; }

/* The bits of a number below 16 with a 0 above each: by copies side by side, of each one bit, or
   moved twice over themselves. */
static const irl_expr *spread(const irl_expr *x, int by_copies)
{
    const irl_expr *all;
    int             k;
    if (by_copies) {
        all = x = op(IRL_OP_BITAND, op(IRL_OP_MUL, x, num(0x1111)), num(0x8421));
        for (k = 3; k < 12; k += 3) all = op(IRL_OP_BITOR, all, op(IRL_OP_SHR, x, num(k)));
        return op(IRL_OP_BITAND, all, num(0x55));
    }
    for (k = 2; k > 0; k--)
        x = op(IRL_OP_BITAND, op(IRL_OP_BITOR, x, op(IRL_OP_SHL, x, num(k))),
               num(k == 2 ? 0x33 : 0x55));
    return x;
}

/* Applies one step to the outputs; returns the new number of them. A step that does not fit changes
   nothing. */
static int apply_step(const step *s, axis_now *a, int n)
{
    int      k, i = n ? s->at % n : 0, j = n ? s->other % n : 0;
    int64_t  v = s->value, e = n ? a[i].extent : 0;
    axis_now t;
    if (n == 0) return 0;
    switch (s->kind) {
    case SPLIT:
        if (n == MOST_OUTPUTS) break;
        v = v % 8 + 1;
        for (k = n; k > i + 1; k--) a[k] = a[k - 1];
        a[i + 1].e = op(IRL_OP_FLOORMOD, a[i].e, num(v));
        a[i + 1].extent = e < v ? e : v;
        a[i].e = op(IRL_OP_FLOORDIV, a[i].e, num(v));
        a[i].extent = (e + v - 1) / v;
        return n + 1;
    case FUSE:
        if (i == j || a[i].extent * a[j].extent > 4000) break;
        v = a[j].extent + (v % 5 == 0 ? 1 : 0);
        a[i].e = op(IRL_OP_ADD, op(IRL_OP_MUL, a[i].e, num(v)), a[j].e);
        a[i].extent = (e - 1) * v + a[j].extent;
        for (k = j; k + 1 < n; k++) a[k] = a[k + 1];
        return n - 1;
    case PERMUTE: t = a[i], a[i] = a[j], a[j] = t; break;
    case OFFSET: a[i].e = op(IRL_OP_ADD, a[i].e, num(v % 7 + 1)), a[i].extent += v % 7 + 1; break;
    case ROTATE: a[i].e = op(IRL_OP_FLOORMOD, op(IRL_OP_ADD, a[i].e, num(v)), num(e)); break;
    case REVERSE: a[i].e = op(IRL_OP_SUB, num(e - 1), a[i].e); break;
    case STRIDE:
        v = v % 3 + 2, a[i].e = op(IRL_OP_MUL, a[i].e, num(v)), a[i].extent = (e - 1) * v + 1;
        break;
    case SKEW:
        if (i == j) break;
        a[i].e = op(IRL_OP_FLOORMOD,
                    op(IRL_OP_ADD, a[i].e, v % 2 ? a[j].e : op(IRL_OP_MUL, a[j].e, num(v % 4 + 1))),
                    num(e));
        break;
    case DROP:
        for (k = i; k + 1 < n; k++) a[k] = a[k + 1];
        return n > 1 ? n - 1 : 1;
    case DUPLICATE:
        if (n == MOST_OUTPUTS) break;
        a[n] = a[i];
        return n + 1;
    case CONSTANT:
        if (n == MOST_OUTPUTS) break;
        a[n].e = num(v % 4);
        a[n].extent = v % 4 + 1;
        return n + 1;
    case XOR:
        if (i == j || !is_power(e)) break;
        a[i].e =
            op(IRL_OP_BITXOR, a[i].e,
               op(IRL_OP_FLOORMOD, v % 2 ? a[j].e : op(IRL_OP_FLOORDIV, a[j].e, num(2)), num(e)));
        break;
    case MORTON:
        if (i == j || !is_power(e) || a[j].extent != e || e > 16) break;
        if (v % 3 == 0) { /* spread by shifts and masks */
            a[i].e = op(IRL_OP_BITOR, op(IRL_OP_SHL, spread(a[i].e, v % 2), num(1)),
                        spread(a[j].e, v / 6 % 2));
            a[i].extent = e * e;
        } else {
            const irl_expr *z = NULL;
            int64_t         bit;
            for (bit = 1, k = 0; bit < e; bit *= 2, k++) {
                const irl_expr *x =
                    op(IRL_OP_SHL, op(IRL_OP_BITAND, op(IRL_OP_SHR, a[i].e, num(k)), num(1)),
                       num(2 * k + 1));
                const irl_expr *y =
                    op(IRL_OP_SHL, op(IRL_OP_BITAND, op(IRL_OP_SHR, a[j].e, num(k)), num(1)),
                       num(2 * k));
                z = z ? op(IRL_OP_BITOR, z, op(IRL_OP_BITOR, x, y)) : op(IRL_OP_BITOR, x, y);
            }
            if (!z) break;
            a[i].e = z;
            a[i].extent = e * e;
        }
        for (k = j; k + 1 < n; k++) a[k] = a[k + 1];
        return n - 1;
    case SERPENTINE:
        if (i == j) break;
        a[i].e = irl_expr_op3(cx, v % 2 ? IRL_OP_SELECT : IRL_OP_IF_THEN_ELSE,
                              op(IRL_OP_EQ, op(IRL_OP_FLOORMOD, a[j].e, num(2)), num(0)), a[i].e,
                              op(IRL_OP_SUB, num(e - 1), a[i].e));
        break;
    case GAP: /* what is beyond v moves up */
        v = e > 1 ? v % e : 0;
        a[i].e = irl_expr_op3(cx, IRL_OP_SELECT, op(IRL_OP_LT, a[i].e, num(v)), a[i].e,
                              op(IRL_OP_ADD, a[i].e, num(3)));
        a[i].extent = e + 3;
        break;
    case CLAMP:
        a[i].e = op(v % 2 ? IRL_OP_MIN : IRL_OP_MAX, a[i].e, num(v % 3 == 0 ? e : e / 2)),
        a[i].extent = e + 1;
        break;
    case MULTIPLY:
        v = v % 9 + 2;
        if (gcd(v, e) == 1) a[i].e = op(IRL_OP_FLOORMOD, op(IRL_OP_MUL, a[i].e, num(v)), num(e));
        break;
    case RATIO:
        a[i].e = op(IRL_OP_FLOORDIV, op(IRL_OP_MUL, a[i].e, num(3)), num(2)),
        a[i].extent = (e - 1) * 3 / 2 + 1;
        break;
    case MINMAX:
        if (i == j) break;
        t = a[i];
        a[i].e = op(IRL_OP_MIN, a[i].e, a[j].e);
        a[j].e = op(IRL_OP_MAX, t.e, a[j].e);
        a[i].extent = a[j].extent = e > a[j].extent ? e : a[j].extent;
        break;
    case LET: /* named, and used twice */
        t.e = irl_expr_var(cx, "named", irl_type_of(IRL_INDEX, 1));
        a[i].e = irl_expr_let(cx, t.e, a[i].e,
                              v % 2 ? op(IRL_OP_SUB, op(IRL_OP_MUL, t.e, num(2)), t.e)
                                    : op(IRL_OP_ADD,
                                         op(IRL_OP_MUL, op(IRL_OP_FLOORDIV, t.e, num(v % 9 + 1)),
                                            num(v % 9 + 1)),
                                         op(IRL_OP_FLOORMOD, t.e, num(v % 9 + 1))));
        break;
    case MASK: /* the low bits are turned around, or are what the index type's complement leaves */
        t.extent = (INT64_C(2) << v % 4) - 1;
        t.e = op(IRL_OP_BITAND, a[i].e, irl_expr_op1(cx, IRL_OP_BITNOT, num(t.extent)));
        if (v % 3 == 0) a[i].e = t.e;
        else
            a[i].e = op(v % 3 == 1 ? IRL_OP_BITOR : IRL_OP_ADD, t.e,
                        op(IRL_OP_SUB, num(t.extent), op(IRL_OP_BITAND, a[i].e, num(t.extent))));
        a[i].extent = (e + t.extent) & ~t.extent;
        break;
    case SQUARE:
        if (e > 60) break;
        a[i].e = op(IRL_OP_MUL, a[i].e, v % 2 ? a[i].e : op(IRL_OP_ADD, a[i].e, num(v % 5)));
        a[i].extent = (e - 1) * (e + 3) + 1;
        break;
    default: break;
    }
    return n;
}

static const irl_map *build(const recipe *r)
{
    static const char *const names[MOST_AXES] = { "i", "j", "k", "l", "m", "n" };
    const irl_expr *in[MOST_AXES], *out[MOST_OUTPUTS];
    axis_now        now[MOST_OUTPUTS + 1];
    int             k, n = r->shape.rank;
    for (k = 0; k < n; k++) {
        now[k].e = in[k] = irl_expr_var(cx, names[k], irl_type_of(IRL_INDEX, 1));
        now[k].extent = r->shape.extent[k];
    }
    for (k = 0; k < r->count; k++) n = apply_step(&r->steps[k], now, n);
    for (k = 0; k < n; k++) out[k] = now[k].e;
    return irl__map_make(cx, r->shape.rank, in, n, out, 0, NULL, irl__nowhere());
}

static recipe invent(int kinds)
{
    static const int extents[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 16, 17, 24, 32 };
    recipe  r;
    int64_t points = 1;
    int     k;
    memset(&r, 0, sizeof r);
    r.shape.rank = 1 + random_below(random_below(4) ? 3 : MOST_AXES);
    for (k = 0; k < r.shape.rank; k++) {
        r.shape.extent[k] = extents[random_below(16)];
        if (points * r.shape.extent[k] > 700) r.shape.extent[k] = 1 + random_below(2);
        points *= r.shape.extent[k];
    }
    r.count = 1 + random_below(MOST_STEPS - 1);
    for (k = 0; k < r.count; k++) {
        r.steps[k].kind = random_below(kinds);
        if (r.steps[k].kind == DROP && random_below(3)) r.steps[k].kind = SPLIT;
        r.steps[k].at = random_below(12);
        r.steps[k].other = random_below(12);
        r.steps[k].value = random_below(64);
    }
    return r;
}

#endif
