/* built_maps.h - maps that are right by construction: an injection of the axes is carried on step
   by step, each an injection of the axes before it, with names for extents or with large numbers.
   Some are then broken on purpose. Of each is known, without the library's analysis: whether it is
   injective for all values of the names, and whether it fills its box.

   An extent is a product of factors, so that a split is exact where its divisor is some of them.
   For tests that include random64.h. */
#ifndef IRL_TEST_BUILT_MAPS_H
#define IRL_TEST_BUILT_MAPS_H

enum { BUILT_NAMES = 3, BUILT_AXES = 8, BUILT_FACTORS = 10, BUILT_STEPS = 6 };

typedef enum built_kind {
    BUILT_PERMUTE,
    BUILT_SPLIT,
    BUILT_CUT,
    BUILT_FUSE,
    BUILT_GAP,
    BUILT_OFFSET,
    BUILT_STRIDE,
    BUILT_REVERSE,
    BUILT_ROTATE,
    BUILT_SKEW,
    BUILT_XOR,
    BUILT_XOR_AXES,
    BUILT_SERPENTINE,
    BUILT_SWAP,
    BUILT_MULTIPLY,
    BUILT_REPEAT,
    BUILT_FLATTEN,
    BUILT_KINDS
} built_kind;

static const char *const built_names[BUILT_KINDS] = {
    "permute",    "split",   "cut",      "fuse",   "gap",    "offset",
    "stride",     "reverse", "rotate",   "skew",   "xor",    "xor of axes",
    "serpentine", "swap",    "multiply", "repeat", "flatten"
};

/* One factor of an extent: a number, or a name, or a name plus a number, or any expression */
typedef struct built_factor {
    const irl_expr *e;
    int64_t         number; /* 0: none */
} built_factor;

typedef struct built_axis {
    const irl_expr *e;
    int             count;
    built_factor    factor[BUILT_FACTORS];
} built_axis;

typedef struct built_map {
    irl_ctx        *cx;
    int             large; /* numbers only */
    const irl_expr *name[BUILT_NAMES];
    int             rank, n;
    const irl_expr *extents[BUILT_AXES], *in[BUILT_AXES];
    built_axis      axis[2 * BUILT_AXES];
    const irl_map  *map;
    unsigned        steps;  /* a bit for each kind of step that was taken */
    int             full;   /* nothing is unused, for all values */
    int             broken; /* a step that loses was taken: for some values, perhaps for none */
} built_map;

static const irl_expr *built_num(const built_map *b, int64_t v) { return irl_expr_index(b->cx, v); }

static const irl_expr *built_op(const built_map *b, irl_op o, const irl_expr *x, const irl_expr *y)
{
    return irl_expr_op2(b->cx, o, x, y);
}

/* ------------------------------------------------------------------ extents */

static built_factor built_number(const built_map *b, int64_t v)
{
    built_factor f;
    f.e = built_num(b, v);
    f.number = v;
    return f;
}

static built_factor built_some_factor(const built_map *b)
{
    static const int64_t small[] = { 1, 2, 2, 3, 4, 4, 5, 7, 8, 16 };
    static const int64_t large[] = { 2,   3,   4,   7,   8,    12,   16,   31,   56,   64,
                                     100, 127, 224, 256, 1000, 1024, 3001, 4096, 65536 };
    built_factor         f;
    if (b->large)
        return built_number(b, large[random_below((int)(sizeof large / sizeof large[0]))]);
    f.number = 0;
    f.e = b->name[random_below(BUILT_NAMES)];
    switch (random_below(8)) {
    case 0: f.e = built_op(b, IRL_OP_ADD, f.e, built_num(b, 1 + random_below(4))); return f;
    case 1:
    case 2: return built_number(b, small[random_below(10)]);
    default: return f;
    }
}

static const irl_expr *built_product(const built_map *b, int count, const built_factor *f)
{
    const irl_expr *e = NULL;
    int64_t         number = 1;
    int             k;
    for (k = 0; k < count; k++) {
        if (f[k].number) number *= f[k].number;
        else e = e ? built_op(b, IRL_OP_MUL, e, f[k].e) : f[k].e;
    }
    if (!e) return built_num(b, number);
    return number == 1 ? e : built_op(b, IRL_OP_MUL, e, built_num(b, number));
}

static const irl_expr *built_extent(const built_map *b, const built_axis *a)
{
    return built_product(b, a->count, a->factor);
}

/* The product of the numbers among the factors: what the extent is at least, and a multiple of. */
static int64_t built_least(const built_axis *a)
{
    int64_t n = 1;
    int     k;
    for (k = 0; k < a->count; k++) n *= a->factor[k].number ? a->factor[k].number : 1;
    return n;
}

static int built_is_number(const built_axis *a)
{
    int k;
    for (k = 0; k < a->count; k++)
        if (!a->factor[k].number) return 0;
    return 1;
}

static double built_log(const built_map *b) /* of the number of points, where extents are numbers */
{
    double n = 1;
    int    i;
    for (i = 0; i < b->n; i++) n *= (double)built_least(&b->axis[i]);
    return n;
}

/* An extent that is no product of what is known: one factor. */
static void built_opaque(const built_map *b, built_axis *a, const irl_expr *e, int64_t number)
{
    a->count = 1;
    a->factor[0].e = number ? built_num(b, number) : e;
    a->factor[0].number = number;
}

static int64_t built_gcd(int64_t a, int64_t c) { return c ? built_gcd(c, a % c) : a; }

/* ------------------------------------------------------------------ steps: each an injection; 0
 * where it does not fit */

/* A divisor among the factors: some of them, in no order. They come first in f. */
static int built_some(const built_axis *a, built_factor *f, int *taken)
{
    int k, n = 0, last = a->count;
    for (k = 0; k < a->count; k++) {
        if (random_below(2)) f[n++] = a->factor[k];
        else f[--last] = a->factor[k];
    }
    *taken = n;
    return n > 0 && n < a->count;
}

static int built_insert(built_map *b, int at)
{
    int k;
    if (b->n >= 2 * BUILT_AXES - 1) return 0;
    for (k = b->n++; k > at; k--) b->axis[k] = b->axis[k - 1];
    return 1;
}

static int built_split(built_map *b, int i)
{
    built_factor    f[BUILT_FACTORS];
    built_axis      t = b->axis[i], *hi, *lo;
    const irl_expr *by;
    int             k, taken;
    /* a number may be cut in two itself: 12 is 3 * 4 */
    for (k = 0; k < t.count && t.count < BUILT_FACTORS; k++)
        if (t.factor[k].number && t.factor[k].number % 4 == 0 && random_below(2)) {
            t.factor[t.count++] = built_number(b, t.factor[k].number / 4);
            t.factor[k] = built_number(b, 4);
            break;
        }
    if (!built_some(&t, f, &taken) || !built_insert(b, i)) return 0;
    hi = &b->axis[i], lo = &b->axis[i + 1];
    by = built_product(b, taken, f);
    lo->e = built_op(b, IRL_OP_FLOORMOD, t.e, by);
    lo->count = taken;
    memcpy(lo->factor, f, sizeof f);
    hi->e = built_op(b, IRL_OP_FLOORDIV, t.e, by);
    hi->count = t.count - taken;
    memcpy(hi->factor, f + taken, (size_t)(t.count - taken) * sizeof f[0]);
    return 1;
}

/* A split by a number that does not divide the extent. */
static int built_cut(built_map *b, int i)
{
    built_axis      t = b->axis[i];
    const irl_expr *extent = built_extent(b, &t);
    int64_t         c = 2 + random_below(b->large ? 60 : 7), least = built_least(&t);
    int             number = built_is_number(&t);
    if ((number && least % c == 0) || !built_insert(b, i)) return 0;
    b->axis[i].e = built_op(b, IRL_OP_FLOORDIV, t.e, built_num(b, c));
    b->axis[i + 1].e = built_op(b, IRL_OP_FLOORMOD, t.e, built_num(b, c));
    built_opaque(b, &b->axis[i],
                 built_op(b, IRL_OP_FLOORDIV, built_op(b, IRL_OP_ADD, extent, built_num(b, c - 1)),
                          built_num(b, c)),
                 number ? (least + c - 1) / c : 0);
    built_opaque(b, &b->axis[i + 1], NULL, c);
    b->full = 0;
    return 1;
}

static void built_remove(built_map *b, int at)
{
    for (b->n--; at < b->n; at++) b->axis[at] = b->axis[at + 1];
}

/* a*e + c into the place of one of them; with `gap`, room that is not used. */
static int built_fuse(built_map *b, int i, int j, int gap)
{
    built_axis     *x = &b->axis[i], *y = &b->axis[j];
    const irl_expr *radix = built_extent(b, y);
    int             k;
    if (i == j || x->count + y->count > BUILT_FACTORS) return 0;
    if (b->large && (double)built_least(x) * (double)built_least(y) > 4e18) return 0;
    if (gap) {
        int64_t more = 1 + random_below(5), number = built_is_number(y) ? built_least(y) + more : 0;
        if (b->large && (double)built_least(x) * (double)number > 4e18) return 0;
        radix = number ? built_num(b, number) : built_op(b, IRL_OP_ADD, radix, built_num(b, more));
        x->e = built_op(b, IRL_OP_ADD, built_op(b, IRL_OP_MUL, x->e, radix), y->e);
        x->factor[x->count].e = radix;
        x->factor[x->count++].number = number;
        b->full = 0;
    } else {
        x->e = built_op(b, IRL_OP_ADD,
                        random_below(4) ? built_op(b, IRL_OP_MUL, x->e, radix)
                                        : built_op(b, IRL_OP_MUL, radix, x->e),
                        y->e);
        for (k = 0; k < y->count; k++) x->factor[x->count++] = y->factor[k];
    }
    built_remove(b, j);
    return 1;
}

/* Something that does not depend on axis i: another axis, a multiple, a part or a sum of others. */
static const irl_expr *built_other(const built_map *b, int i)
{
    int             j = random_below(b->n), k = random_below(b->n);
    const irl_expr *e;
    if (j == i) return NULL;
    e = b->axis[j].e;
    switch (random_below(6)) {
    case 0: return built_op(b, IRL_OP_MUL, e, built_num(b, 2 + random_below(4)));
    case 1: return built_op(b, IRL_OP_FLOORDIV, e, built_num(b, 2 + random_below(3)));
    case 2: return built_op(b, IRL_OP_FLOORMOD, e, built_num(b, 2 + random_below(6)));
    case 3: return k != i && k != j ? built_op(b, IRL_OP_ADD, e, b->axis[k].e) : e;
    default: return e;
    }
}

static int built_skew(built_map *b, int i)
{
    built_axis     *a = &b->axis[i];
    const irl_expr *o = built_other(b, i), *extent = built_extent(b, a);
    int             kind = random_below(4);
    if (!o) return 0;
    if (kind == 0) a->e = built_op(b, IRL_OP_SUB, a->e, o);
    else if (kind == 1) a->e = built_op(b, IRL_OP_SUB, o, a->e);
    else if (kind == 2) a->e = built_op(b, IRL_OP_ADD, o, a->e);
    else a->e = built_op(b, IRL_OP_ADD, a->e, o);
    a->e = built_op(b, IRL_OP_FLOORMOD, a->e, extent);
    return 1;
}

/* The largest power of two that divides the numbers of an extent. */
static int64_t built_power(const built_axis *a)
{
    int64_t n = built_least(a), p = 1;
    while (n % (2 * p) == 0) p *= 2;
    return p;
}

static int built_xor(built_map *b, int i, int j)
{
    built_axis     *a = &b->axis[i];
    int64_t         p = built_power(a);
    const irl_expr *o;
    if (p < 2 || i == j) return 0;
    if (p > 4096) p = 4096;
    if (j < 0) {
        a->e = built_op(b, IRL_OP_BITXOR, a->e, built_num(b, 1 + random_below((int)p - 1)));
        return 1;
    }
    o = b->axis[j].e;
    if (random_below(3) == 0)
        o = built_op(b, IRL_OP_FLOORDIV, o, built_num(b, 2 + random_below(3)));
    if (!built_is_number(&b->axis[j]) || built_least(&b->axis[j]) > p || random_below(2))
        o = built_op(b, IRL_OP_FLOORMOD, o, built_num(b, p));
    a->e =
        random_below(2) ? built_op(b, IRL_OP_BITXOR, a->e, o) : built_op(b, IRL_OP_BITXOR, o, a->e);
    return 1;
}

static const irl_expr *built_reversed(const built_map *b, const built_axis *a)
{
    const irl_expr *extent = built_extent(b, a), *one = built_num(b, 1);
    if (built_is_number(a)) return built_op(b, IRL_OP_SUB, built_num(b, built_least(a) - 1), a->e);
    switch (random_below(3)) {
    case 0: return built_op(b, IRL_OP_SUB, built_op(b, IRL_OP_SUB, extent, a->e), one);
    default: return built_op(b, IRL_OP_SUB, built_op(b, IRL_OP_SUB, extent, one), a->e);
    }
}

static const irl_expr *built_choice(const built_map *b, const irl_expr *c, const irl_expr *x,
                                    const irl_expr *y)
{
    return irl_expr_op3(b->cx, random_below(2) ? IRL_OP_SELECT : IRL_OP_IF_THEN_ELSE, c, x, y);
}

static int built_serpentine(built_map *b, int i)
{
    built_axis     *a = &b->axis[i];
    const irl_expr *o = built_other(b, i), *back = built_reversed(b, a), *c, *parity;
    if (!o) return 0;
    parity = built_op(b, IRL_OP_FLOORMOD, o, built_num(b, 2 + (random_below(4) == 0)));
    switch (random_below(6)) {
    case 0: c = built_op(b, IRL_OP_LT, o, built_num(b, 1 + random_below(6))); break;
    case 1: c = built_op(b, IRL_OP_NE, parity, built_num(b, 0)); break;
    case 2: c = built_op(b, IRL_OP_EQ, parity, built_num(b, 0)); break;
    default: c = built_op(b, IRL_OP_EQ, parity, built_num(b, 1)); break;
    }
    a->e = random_below(3) ? built_choice(b, c, back, a->e) : built_choice(b, c, a->e, back);
    return 1;
}

/* Two values change places. */
static int built_swap(built_map *b, int i)
{
    built_axis     *a = &b->axis[i];
    int64_t         least = built_least(a), u, v;
    const irl_expr *p, *q;
    if (built_is_number(a) && least < 2) return 0;
    u = least > 1 ? random_below(least > 1000 ? 1000 : (int)least) : 0;
    v = least > 1 ? random_below(least > 1000 ? 1000 : (int)least) : 0;
    p = built_num(b, u);
    q = u != v               ? built_num(b, v)
        : built_is_number(a) ? built_num(b, least - 1)
                             : built_op(b, IRL_OP_SUB, built_extent(b, a), built_num(b, 1));
    a->e = built_choice(b, built_op(b, IRL_OP_EQ, a->e, p), q,
                        built_choice(b, built_op(b, IRL_OP_EQ, a->e, q), p, a->e));
    return 1;
}

static int built_multiply(built_map *b, int i)
{
    built_axis *a = &b->axis[i];
    int64_t     n = built_least(a), c = 2 + random_below(b->large ? 1000 : 20);
    if (!built_is_number(a) || n < 3 || built_gcd(c, n) != 1 || (double)n * (double)c > 4e18)
        return 0;
    a->e = built_op(b, IRL_OP_FLOORMOD, built_op(b, IRL_OP_MUL, a->e, built_num(b, c)),
                    built_num(b, n));
    return 1;
}

/* A number or a name. */
static const irl_expr *built_amount(const built_map *b, int64_t most)
{
    if (!b->large && random_below(2)) return b->name[random_below(BUILT_NAMES)];
    return built_num(b, 1 + random_below(most > 1000 ? 1000 : (int)most));
}

static int built_offset(built_map *b, int i, int stride)
{
    built_axis     *a = &b->axis[i];
    const irl_expr *by = built_amount(b, 7), *extent = built_extent(b, a);
    int64_t         v = by->op == IRL_OP_INT ? by->u.i : 0,
            n = built_is_number(a) && v ? built_least(a) : 0;
    if (stride && v == 1) return 0;
    if (b->large && (double)built_least(a) * (double)(v + 1) > 4e18) return 0;
    b->full = 0;
    if (!stride) {
        a->e = built_op(b, IRL_OP_ADD, a->e, by);
        built_opaque(b, a, built_op(b, IRL_OP_ADD, extent, by), n ? n + v : 0);
        return 1;
    }
    a->e = built_op(b, IRL_OP_MUL, a->e, by);
    if (a->count == BUILT_FACTORS) built_opaque(b, a, built_op(b, IRL_OP_MUL, extent, by), n * v);
    else a->factor[a->count].e = by, a->factor[a->count++].number = v;
    return 1;
}

static int built_step(built_map *b, int kind)
{
    int             i = random_below(b->n), j = random_below(b->n);
    built_axis      t = b->axis[i];
    const irl_expr *extent = built_extent(b, &t);
    switch (kind) {
    case BUILT_PERMUTE: b->axis[i] = b->axis[j], b->axis[j] = t; return i != j;
    case BUILT_SPLIT: return built_split(b, i);
    case BUILT_CUT: return built_cut(b, i);
    case BUILT_FUSE: return built_fuse(b, i, j, 0);
    case BUILT_GAP: return built_fuse(b, i, j, 1);
    case BUILT_OFFSET: return built_offset(b, i, 0);
    case BUILT_STRIDE: return built_offset(b, i, 1);
    case BUILT_REVERSE: b->axis[i].e = built_reversed(b, &t); return 1;
    case BUILT_ROTATE:
        b->axis[i].e = built_op(b, IRL_OP_FLOORMOD,
                                built_op(b, IRL_OP_ADD, t.e, built_amount(b, 1000)), extent);
        return 1;
    case BUILT_SKEW: return built_skew(b, i);
    case BUILT_XOR: return built_xor(b, i, -1);
    case BUILT_XOR_AXES: return built_xor(b, i, j);
    case BUILT_SERPENTINE: return built_serpentine(b, i);
    case BUILT_SWAP: return built_swap(b, i);
    case BUILT_MULTIPLY: return built_multiply(b, i);
    case BUILT_REPEAT:
        if (!built_insert(b, b->n)) return 0;
        b->axis[b->n - 1] = t;
        b->full = 0;
        return 1;
    case BUILT_FLATTEN:
        while (b->n > 1 && built_fuse(b, 0, 1, 0)) continue;
        return b->n == 1;
    default: return 0;
    }
}

/* One step that loses, for some values at least, or for none. */
static void built_break(built_map *b)
{
    int         i = random_below(b->n), j = random_below(b->n);
    built_axis *a = &b->axis[i];
    b->broken = 1;
    b->full = 0;
    switch (random_below(6)) {
    case 0:
        if (b->n > 1) built_remove(b, i);
        break;
    case 1: a->e = built_op(b, IRL_OP_FLOORDIV, a->e, built_num(b, 2)); break;
    case 2: a->e = built_op(b, IRL_OP_FLOORMOD, a->e, built_amount(b, 16)); break;
    case 3: a->e = built_op(b, IRL_OP_MAX, a->e, built_num(b, 1 + random_below(4))); break;
    case 4:
        if (i != j) a->e = built_op(b, IRL_OP_ADD, a->e, b->axis[j].e), built_remove(b, j);
        break;
    default: a->e = built_op(b, IRL_OP_MIN, a->e, built_amount(b, 9)); break;
    }
}

/* ------------------------------------------------------------------ a map */

static void built_begin(built_map *b, irl_ctx *cx, int large)
{
    static const char *const names[BUILT_NAMES] = { "N", "M", "K" }, *const inputs[BUILT_AXES] = {
        "i", "j", "k", "l", "m", "n", "o", "p"
    };
    int k, f;
    memset(b, 0, sizeof *b);
    b->cx = cx;
    b->large = large;
    b->full = 1;
    for (k = 0; k < BUILT_NAMES; k++)
        b->name[k] = irl_expr_var(cx, names[k], irl_type_of(IRL_INDEX, 1));
    b->rank = b->n = 1 + random_below(large ? 5 : 4);
    for (k = 0; k < b->rank; k++) {
        built_axis *a = &b->axis[k];
        a->e = b->in[k] = irl_expr_var(cx, inputs[k], irl_type_of(IRL_INDEX, 1));
        a->count = 1 + (random_below(3) == 0) + (random_below(6) == 0);
        for (f = 0; f < a->count; f++) a->factor[f] = built_some_factor(b);
        b->extents[k] = built_extent(b, a);
    }
}

static void built_end(built_map *b)
{
    const irl_expr *out[2 * BUILT_AXES];
    int             k;
    for (k = 0; k < b->n; k++) out[k] = b->axis[k].e;
    b->map = irl_map_new(b->cx, b->rank, b->in, b->n, out, 0, NULL);
}

/* A random one, in a new context. large: extents are numbers, at least 2^24 points. */
static void built_some_map(built_map *b, irl_ctx *cx, int large)
{
    int k, steps, breaks = random_below(8) == 0, at;
    do built_begin(b, cx, large);
    while (large && (built_log(b) < 1.7e7 || built_log(b) > 4e18));
    steps = 1 + random_below(BUILT_STEPS);
    at = random_below(steps);
    for (k = 0; k < steps; k++) {
        int kind = random_below(BUILT_KINDS);
        if (kind == BUILT_REPEAT && random_below(3)) kind = BUILT_FUSE;
        if (built_step(b, kind)) b->steps |= 1u << kind;
        if (breaks && k == at) built_break(b);
    }
    built_end(b);
}

#endif
