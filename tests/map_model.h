/* map_model.h - what index maps mean, by exact integers that share no code with the library, and
   whether an answer of the library is right by them. A value is a sign and a magnitude; an
   expression is walked as it is written.

   For tests that include test.h, random64.h and the library; they see the inside of maps
   (src/map/map.h). */
#ifndef IRL_MAP_MODEL_H
#define IRL_MAP_MODEL_H
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-function" /* each test uses a part of this */
#endif

/* ------------------------------------------------------------------ numbers */

typedef enum model_status {
    MODEL_OK,
    MODEL_OVERFLOW,
    MODEL_ZERO,
    MODEL_SHIFT,
    MODEL_NONE
} model_status;

/* From -2^63 to 2^64 - 1: the values of every integer type. Zero is not negative. */
typedef struct model_number {
    int      negative;
    uint64_t size;
} model_number;

static model_number model_make(int negative, uint64_t size)
{
    model_number n;
    n.negative = negative && size;
    n.size = size;
    return n;
}

static model_number model_of(int64_t v)
{
    return model_make(v < 0, v < 0 ? (uint64_t) - (v + 1) + 1 : (uint64_t)v);
}

static uint64_t model_bits(model_number n) { return n.negative ? 0 - n.size : n.size; }

/* False where the number is no int64_t. */
static int model_int64(model_number n, int64_t *out)
{
    if (n.size > (uint64_t)INT64_MAX + (uint64_t)n.negative) return 0;
    *out = !n.negative                         ? (int64_t)n.size
           : n.size == (uint64_t)INT64_MAX + 1 ? INT64_MIN
                                               : -(int64_t)n.size;
    return 1;
}

static int model_compare(model_number a, model_number b)
{
    int by_size = a.size < b.size ? -1 : a.size > b.size;
    if (a.negative != b.negative) return a.negative ? -1 : 1;
    return a.negative ? -by_size : by_size;
}

/* Bits and sign of a type; 0 bits: it has no numbers here. */
static int model_width(irl_type t, int *is_signed)
{
    static const struct { int scalar, bits, is_signed;
    } types[] = {
        { IRL_BOOL, 1, 0 }, { IRL_I8, 8, 1 },     { IRL_I16, 16, 1 }, { IRL_I32, 32, 1 },
        { IRL_I64, 64, 1 }, { IRL_U8, 8, 0 },     { IRL_U16, 16, 0 }, { IRL_U32, 32, 0 },
        { IRL_U64, 64, 0 }, { IRL_INDEX, 64, 1 },
    };
    size_t k;
    for (k = 0; k < sizeof types / sizeof types[0]; k++)
        if (types[k].scalar == t.scalar && !t.is_pointer && t.lanes == 1) {
            *is_signed = types[k].is_signed;
            return types[k].bits;
        }
    return 0;
}

/* The number of a type that these bits, the lowest of a longer one, are. */
static model_number model_wrap(irl_type t, uint64_t bits)
{
    int      is_signed = 0, width = model_width(t, &is_signed);
    uint64_t top;
    if (width < 64) bits &= ((uint64_t)1 << width) - 1;
    top = (uint64_t)1 << (width - 1);
    if (!is_signed || !(bits & top)) return model_make(0, bits);
    return model_make(1, width < 64 ? (top << 1) - bits : 0 - bits);
}

/* The value of a constant as it stands in an expression. */
static model_number model_constant(const irl_expr *e)
{
    return model_wrap(e->type, (uint64_t)e->u.i);
}

/* The result of an operation: exact, or (not index) wrapped. `carry`: the magnitude has more than
 * 64 bits. */
static model_status model_result(irl_type t, int negative, uint64_t size, int carry,
                                 model_number *out)
{
    int64_t ignored;
    if (t.scalar != IRL_INDEX) return *out = model_wrap(t, negative ? 0 - size : size), MODEL_OK;
    *out = model_make(negative, size);
    return carry || !model_int64(*out, &ignored) ? MODEL_OVERFLOW : MODEL_OK;
}

static model_status model_add(irl_type t, model_number a, model_number b, model_number *out)
{
    if (a.negative == b.negative)
        return model_result(t, a.negative, a.size + b.size, a.size + b.size < a.size, out);
    if (a.size >= b.size) return model_result(t, a.negative, a.size - b.size, 0, out);
    return model_result(t, b.negative, b.size - a.size, 0, out);
}

static model_number model_negate(model_number a) { return model_make(!a.negative, a.size); }

static model_status model_mul(irl_type t, model_number a, model_number b, model_number *out)
{
    return model_result(t, a.negative != b.negative, a.size * b.size,
                        a.size && b.size > UINT64_MAX / a.size, out);
}

/* Quotient towards 0, or (floors) minus infinity, or the remainder that belongs to it. */
static model_status model_div(irl_type t, model_number a, model_number b, int floors, int is_mod,
                              model_number *out)
{
    uint64_t q, r;
    int      up;
    if (b.size == 0) return MODEL_ZERO;
    q = a.size / b.size;
    r = a.size % b.size;
    up = floors && r && a.negative != b.negative;
    if (!is_mod) return model_result(t, a.negative != b.negative, q + (uint64_t)up, 0, out);
    if (up) return model_result(t, b.negative, b.size - r, 0, out);
    return model_result(t, a.negative, r, 0, out);
}

static model_status model_shift(irl_type t, int left, model_number a, model_number b,
                                model_number *out)
{
    int          is_signed = 0, width = model_width(t, &is_signed), k;
    model_status s = MODEL_OK;
    if (b.negative || b.size >= (uint64_t)width) return MODEL_SHIFT;
    for (k = 0; k < (int)b.size && s == MODEL_OK; k++)
        s = left ? model_add(t, a, a, &a) : model_div(t, a, model_of(2), 1, 0, &a);
    *out = a;
    return s;
}

static model_status model_binary(irl_op op, irl_type t, model_number a, model_number b,
                                 model_number *out)
{
    int order = model_compare(a, b);
    switch (op) {
    case IRL_OP_ADD: return model_add(t, a, b, out);
    case IRL_OP_SUB: return model_add(t, a, model_negate(b), out);
    case IRL_OP_MUL: return model_mul(t, a, b, out);
    case IRL_OP_FLOORDIV: return model_div(t, a, b, 1, 0, out);
    case IRL_OP_FLOORMOD: return model_div(t, a, b, 1, 1, out);
    case IRL_OP_TRUNCDIV: return model_div(t, a, b, 0, 0, out);
    case IRL_OP_TRUNCMOD: return model_div(t, a, b, 0, 1, out);
    case IRL_OP_MIN: return *out = order < 0 ? a : b, MODEL_OK;
    case IRL_OP_MAX: return *out = order > 0 ? a : b, MODEL_OK;
    case IRL_OP_EQ: return *out = model_of(order == 0), MODEL_OK;
    case IRL_OP_NE: return *out = model_of(order != 0), MODEL_OK;
    case IRL_OP_LT: return *out = model_of(order < 0), MODEL_OK;
    case IRL_OP_LE: return *out = model_of(order <= 0), MODEL_OK;
    case IRL_OP_GT: return *out = model_of(order > 0), MODEL_OK;
    case IRL_OP_GE: return *out = model_of(order >= 0), MODEL_OK;
    case IRL_OP_BITAND: return *out = model_wrap(t, model_bits(a) & model_bits(b)), MODEL_OK;
    case IRL_OP_BITOR: return *out = model_wrap(t, model_bits(a) | model_bits(b)), MODEL_OK;
    case IRL_OP_BITXOR: return *out = model_wrap(t, model_bits(a) ^ model_bits(b)), MODEL_OK;
    case IRL_OP_SHL: return model_shift(t, 1, a, b, out);
    case IRL_OP_SHR: return model_shift(t, 0, a, b, out);
    default: return MODEL_NONE;
    }
}

static model_status model_unary(const irl_expr *e, model_number a, model_number *out)
{
    int is_signed = 0;
    switch (e->op) {
    case IRL_OP_NOT: return *out = model_of(a.size == 0), MODEL_OK;
    case IRL_OP_NEG: return model_result(e->type, !a.negative, a.size, 0, out);
    case IRL_OP_ABS: return model_result(e->type, 0, a.size, 0, out);
    case IRL_OP_BITNOT: return *out = model_wrap(e->type, ~model_bits(a)), MODEL_OK;
    case IRL_OP_CAST:
        if (!model_width(e->type, &is_signed)) return MODEL_NONE;
        if (e->type.scalar == IRL_BOOL) return *out = model_of(a.size != 0), MODEL_OK;
        return model_result(e->type, a.negative, a.size, 0, out);
    default: return MODEL_NONE;
    }
}

/* ------------------------------------------------------------------ expressions */

/* Values of variables; the innermost let is the first. */
typedef struct model_names {
    int                       count;
    const irl_expr *const    *var;
    const int64_t            *value;
    const struct model_names *outer;
    const irl_expr           *let; /* or this one name, where count is 0 */
    model_number              let_value;
} model_names;

static model_status model_name(const model_names *names, const irl_expr *e, model_number *out)
{
    int k;
    for (; names; names = names->outer) {
        if (names->let == e) return *out = names->let_value, MODEL_OK;
        for (k = 0; k < names->count; k++)
            if (names->var[k] == e) return *out = model_of(names->value[k]), MODEL_OK;
    }
    return MODEL_NONE;
}

static model_status model_eval(const model_names *names, const irl_expr *e, model_number *out);

static model_status model_let(const model_names *names, const irl_expr *e, model_number *out)
{
    model_names  inner;
    model_status s;
    memset(&inner, 0, sizeof inner);
    inner.outer = names;
    inner.let = e->a[0];
    s = model_eval(names, e->a[1], &inner.let_value); /* whether it is used or not */
    return s == MODEL_OK ? model_eval(&inner, e->a[2], out) : s;
}

static model_status model_eval(const model_names *names, const irl_expr *e, model_number *out)
{
    model_number a[3];
    model_status s;
    uint32_t     k;
    if (e->op == IRL_OP_INT) return *out = model_constant(e), MODEL_OK;
    if (e->op == IRL_OP_VAR) return model_name(names, e, out);
    if (e->op == IRL_OP_LET) return model_let(names, e, out);
    if (e->count == 0 || e->count > 3) return MODEL_NONE;
    s = model_eval(names, e->a[0], &a[0]);
    if (s != MODEL_OK) return s;
    if (e->op == IRL_OP_IF_THEN_ELSE) return model_eval(names, e->a[a[0].size ? 1 : 2], out);
    if (e->op == IRL_OP_AND || e->op == IRL_OP_OR) {
        if ((a[0].size != 0) == (e->op == IRL_OP_OR)) return *out = a[0], MODEL_OK;
        return model_eval(names, e->a[1], out);
    }
    for (k = 1; k < e->count; k++)
        if ((s = model_eval(names, e->a[k], &a[k])) != MODEL_OK) return s;
    if (e->count == 1) return model_unary(e, a[0], out);
    if (e->op == IRL_OP_SELECT) return *out = a[a[0].size ? 1 : 2], MODEL_OK;
    return e->count == 2 ? model_binary((irl_op)e->op, e->a[0]->type, a[0], a[1], out) : MODEL_NONE;
}

static model_names model_names_of(int count, const irl_expr *const *var, const int64_t *value,
                                  const model_names *outer)
{
    model_names n;
    memset(&n, 0, sizeof n);
    n.count = count;
    n.var = var;
    n.value = value;
    n.outer = outer;
    return n;
}

/* An index, or a bool as 0 or 1. */
static model_status model_index(const model_names *names, const irl_expr *e, int64_t *out)
{
    model_number n;
    model_status s = model_eval(names, e, &n);
    if (s != MODEL_OK) return s;
    return model_int64(n, out) ? MODEL_OK : MODEL_NONE;
}

/* The value of an expression over the inputs of a map. */
static model_status model_value_in(const irl_map *m, const irl_expr *e, const int64_t *at,
                                   const model_names *outer, int64_t *out)
{
    model_names names = model_names_of(m->input_count, m->inputs, at, outer);
    return model_index(&names, e, out);
}

static model_status model_value(const irl_map *m, const irl_expr *e, const int64_t *at,
                                int64_t *out)
{
    return model_value_in(m, e, at, NULL, out);
}

/* `outer`: the values of the parameters; NULL: there are none. */
static model_status model_apply_in(const irl_map *m, const irl_shape *at, const model_names *outer,
                                   irl_shape *out)
{
    model_status s = MODEL_OK;
    int          k;
    memset(out, 0, sizeof *out);
    out->rank = m->output_count;
    for (k = 0; k < m->output_count && s == MODEL_OK; k++)
        s = model_value_in(m, m->outputs[k], at->extent, outer, &out->extent[k]);
    return s;
}

static model_status model_apply(const irl_map *m, const irl_shape *at, irl_shape *out)
{
    return model_apply_in(m, at, NULL, out);
}

/* ------------------------------------------------------------------ shapes and points */

static int64_t volume(const irl_shape *s, int64_t most)
{
    int64_t n = 1;
    int     k;
    for (k = 0; k < s->rank; k++)
        if (s->extent[k] <= 0) return 0;
    for (k = 0; k < s->rank; k++) {
        if (s->extent[k] > most / n) return most + 1;
        n *= s->extent[k];
    }
    return n;
}

static int same(const irl_shape *a, const irl_shape *b)
{
    return a->rank == b->rank &&
           memcmp(a->extent, b->extent, (size_t)a->rank * sizeof *a->extent) == 0;
}

static int inside(const irl_shape *at, const irl_shape *shape)
{
    int k;
    for (k = 0; k < shape->rank; k++)
        if (at->extent[k] < 0 || at->extent[k] >= shape->extent[k]) return 0;
    return at->rank == shape->rank;
}

static int point_next(const irl_shape *box, irl_shape *at)
{
    int k;
    for (k = box->rank - 1; k >= 0; k--) {
        if (++at->extent[k] < box->extent[k]) return 1;
        at->extent[k] = 0;
    }
    return 0;
}

static void point_first(const irl_shape *box, irl_shape *at)
{
    memset(at, 0, sizeof *at);
    at->rank = box->rank;
}

/* Corners, and places between. */
static void random_point(const irl_shape *shape, irl_shape *at)
{
    int k;
    point_first(shape, at);
    for (k = 0; k < shape->rank; k++) {
        int64_t n = shape->extent[k], small = random_below(5);
        switch (random_below(4)) {
        case 0: at->extent[k] = small < n ? small : 0; break;
        case 1: at->extent[k] = n - 1 - small >= 0 ? n - 1 - small : n - 1; break;
        default: at->extent[k] = (int64_t)(random64() >> 1) % n; break;
        }
    }
}

/* ------------------------------------------------------------------ the truth about few points */

enum { FEW = 600 };

static const char *why; /* the answer is wrong */

static int wrong(const char *what) { return why = what, 0; }

typedef struct truth {
    int          lossy, negative, beyond; /* beyond: an extent of the box does not fit */
    int points, overflows,
        undefined; /* points without a value: by overflow of an index, or for another reason */
    model_status first;                   /* of the first point without a value */
    irl_shape    minimum, physical;
    irl_shape    image[FEW];              /* of the points that have one */
} truth;

static int truth_has_image(const truth *t, int count, const irl_shape *at)
{
    int i;
    for (i = 0; i < count; i++)
        if (same(&t->image[i], at)) return 1;
    return 0;
}

static void truth_point(truth *t, const irl_shape *y)
{
    int k;
    t->lossy = t->lossy || truth_has_image(t, t->points, y);
    for (k = 0; k < y->rank; k++) {
        int64_t v = y->extent[k];
        if (t->points == 0 || v < t->minimum.extent[k]) t->minimum.extent[k] = v;
        t->beyond |= v == INT64_MAX;
        if (t->points == 0 || v >= t->physical.extent[k])
            t->physical.extent[k] = v == INT64_MAX ? v : v + 1;
        t->negative |= v < 0;
    }
    t->image[t->points++] = *y;
}

/* The shape has FEW points at most. The result is good until the next call. */
static const truth *find_truth(const irl_map *m, const irl_shape *shape, const model_names *outer)
{
    static truth t;
    irl_shape    at, y;
    model_status s;
    t.lossy = t.negative = t.beyond = t.points = t.overflows = t.undefined = 0;
    t.first = MODEL_OK;
    memset(&t.minimum, 0, sizeof t.minimum);
    memset(&t.physical, 0, sizeof t.physical);
    t.minimum.rank = t.physical.rank = m->output_count;
    point_first(shape, &at);
    if (volume(shape, FEW) == 0) return &t;
    do {
        s = model_apply_in(m, &at, outer, &y);
        if (s == MODEL_OK) {
            truth_point(&t, &y);
            continue;
        }
        if (t.first == MODEL_OK) t.first = s;
        if (s == MODEL_OVERFLOW) t.overflows++;
        else t.undefined++;
    } while (point_next(shape, &at));
    return &t;
}

/* ------------------------------------------------------------------ is a verdict on numbers right
 */

static int reason_is_good(const char *reason, const char *needle)
{
    const char *p;
    for (p = reason; *p && !(*p >= '0' && *p <= '9'); p++) continue;
    return *p && (!needle || strstr(reason, needle)); /* some number says how much was left */
}

/* The code of a verdict says what there is at the point that it names. */
static int right_gap(model_status status, irl_code code, const char *reason)
{
    switch (status) {
    case MODEL_OVERFLOW:
        return (code == IRL_ERROR_OVERFLOW && reason_is_good(reason, "overflow at")) ||
               wrong("the overflow");
    case MODEL_ZERO:
        return (code == IRL_ERROR_DIVISION_BY_ZERO && reason_is_good(reason, "by zero at")) ||
               wrong("the division by zero");
    case MODEL_SHIFT:
        return (code == IRL_ERROR_BAD_VALUE &&
                reason_is_good(reason, "the distance of a shift is too large at")) ||
               wrong("the shift");
    default: return wrong("the point without a value");
    }
}

static int right_witness(const irl_map *m, const irl_verdict *v)
{
    irl_shape x, y;
    int       k, beyond = 0;
    if (v->kind == IRL_UNDEFINED)
        return inside(&v->a, &v->shape) ? right_gap(model_apply(m, &v->a, &x), v->code, v->reason)
                                        : wrong("the point without a value lies outside");
    if (!inside(&v->a, &v->shape) || model_apply(m, &v->a, &x) != MODEL_OK || !same(&x, &v->at))
        return wrong("the witness's first point");
    if (v->kind == IRL_LOSSY)
        return (inside(&v->b, &v->shape) && !same(&v->a, &v->b) &&
                model_apply(m, &v->b, &y) == MODEL_OK && same(&x, &y)) ||
               wrong("the witness's second point");
    for (k = 0; k < x.rank; k++) beyond |= x.extent[k] < 0 || x.extent[k] == INT64_MAX;
    return beyond || wrong("the point out of range");
}

/* One point of an injective map: it has a value in the box, and the inverse leads back. */
static int right_at(const irl_map *m, const irl_verdict *v, const irl_shape *at)
{
    irl_shape y, x;
    int       k;
    int64_t   pad = 0;
    if (model_apply(m, at, &y) != MODEL_OK) return wrong("a point has no value");
    for (k = 0; k < y.rank; k++)
        if (y.extent[k] < v->minimum.extent[k] || y.extent[k] >= v->physical.extent[k])
            return wrong("the box");
    if (!v->inverse) return 1;
    if (model_apply(v->inverse, &y, &x) != MODEL_OK || !same(&x, at)) return wrong("the inverse");
    return (v->padding && model_value(v->inverse, v->padding, y.extent, &pad) == MODEL_OK &&
            pad == 0) ||
           wrong("the padding predicate is true of a cell that is used");
}

/* Every cell of a small box is unused, or not, as the predicate and the count say. */
static int right_padding(const irl_map *inverse, const irl_expr *padding, const irl_shape *box,
                         int64_t pad_cells, const model_names *outer, const truth *t)
{
    irl_shape cell;
    int64_t   unused = 0, pad;
    int       reached;
    if (volume(box, 300) > 300 || volume(box, 300) == 0 || t->points == 0) return 1;
    point_first(box, &cell);
    do {
        reached = truth_has_image(t, t->points, &cell);
        unused += !reached;
        if (model_value_in(inverse, padding, cell.extent, outer, &pad) != MODEL_OK ||
            (pad != 0) == reached)
            return wrong("the padding predicate");
    } while (point_next(box, &cell));
    return unused == pad_cells || wrong("the number of unused cells");
}


/* Everything at once, where all points can be looked at. */
static int right_of_few(const irl_map *m, const irl_verdict *v)
{
    const truth     *t = find_truth(m, &v->shape, NULL);
    irl_verdict_kind kind = t->lossy ? IRL_LOSSY : t->negative ? IRL_OUT_OF_RANGE : IRL_INJECTIVE;
    if (t->undefined || t->overflows || t->beyond) {
        int gaps = t->undefined || t->overflows;
        if (v->kind == IRL_LOSSY) {
            if (!t->lossy) return wrong("no points collide");
            return (v->reason[0] != '\0') == gaps || wrong("the point without a value is left out");
        }
        if (t->lossy) return wrong("points collide");
        return v->kind == (gaps ? IRL_UNDEFINED : IRL_OUT_OF_RANGE) ||
               wrong("a point has no value, or an index no end");
    }
    if (v->kind == IRL_UNDECIDED) return wrong("few points, and undecided");
    if ((v->kind == IRL_BIJECTIVE ? IRL_INJECTIVE : v->kind) != kind) return wrong("the verdict");
    if (v->box_known && (!same(&v->minimum, &t->minimum) || !same(&v->physical, &t->physical)))
        return wrong("the box");
    if (kind != IRL_INJECTIVE) return 1;
    if (v->inverse && !right_padding(v->inverse, v->padding, &v->physical, v->pad_cells, NULL, t))
        return 0;
    return (v->pad_cells == 0) == (v->kind == IRL_BIJECTIVE) || wrong("bijective");
}

/* A failure has a cause: too much of something. */
static int right_failure(irl_ctx *cx, const irl_verdict *v)
{
    irl_code code = irl_diag_of(cx)->code;
    if (v->kind != IRL_UNDECIDED || v->code != code) return wrong("a verdict beside a diagnostic");
    return code == IRL_ERROR_TOO_LARGE || code == IRL_ERROR_TOO_DEEP || wrong("the diagnostic");
}

static int right(irl_ctx *cx, const irl_map *m, const irl_verdict *v)
{
    irl_shape at, x, y, other;
    int       n, k;
    if (!irl_ok(cx)) return right_failure(cx, v);
    if (v->kind == IRL_UNDECIDED && !reason_is_good(v->reason, NULL)) return wrong("the reason");
    if (v->kind >= IRL_LOSSY && !right_witness(m, v)) return 0;
    if (volume(&v->shape, FEW) <= FEW && !right_of_few(m, v)) return 0;
    if (volume(&v->shape, FEW) == 0) return 1;
    for (n = 0; n < 40; n++) {
        random_point(&v->shape, &at);
        if (v->kind == IRL_BIJECTIVE || v->kind == IRL_INJECTIVE) {
            if (!right_at(m, v, &at)) return 0;
            random_point(&v->shape, &other);
            if (!same(&at, &other) && model_apply(m, &at, &x) == MODEL_OK &&
                model_apply(m, &other, &y) == MODEL_OK && same(&x, &y))
                return wrong("points collide");
        } else if (v->box_known && model_apply(m, &at, &y) == MODEL_OK)
            for (k = 0; k < y.rank; k++)
                if (y.extent[k] < v->minimum.extent[k] || y.extent[k] >= v->physical.extent[k])
                    return wrong("the box");
    }
    return 1;
}

static void show(irl_ctx *cx, const irl_map *m, const irl_shape *shape, const irl_verdict *v)
{
    int k;
    printf("    %s: %s\n    on", why ? why : "", irl_diag_text(cx));
    for (k = 0; k < shape->rank; k++) printf(" %.0f", (double)shape->extent[k]);
    irl_ctx_take_error(cx, NULL);
    printf(" %s\n", m ? irl_map_text(cx, m) : "");
    if (v) printf("    %s\n", irl_verdict_json(cx, m, v));
}

/* ------------------------------------------------------------------ through every entry */

static int is_small(const irl_shape *at)
{
    int k;
    for (k = 0; k < at->rank; k++)
        if (model_of(at->extent[k]).size >= UINT64_C(1) << 31) return 0;
    return 1;
}

static int has_small_numbers(const irl_expr *e)
{
    uint32_t k;
    if (e->op == IRL_OP_INT) return model_of(e->u.i).size < UINT64_C(1) << 31;
    for (k = 0; k < e->count; k++)
        if (!has_small_numbers(e->a[k])) return 0;
    return 1;
}

/* R(i) == A(B(i)). Where numbers are large R may overflow though A(B(i)) does not: its sums have
   another order. */
static int right_composition(irl_ctx *cx, const irl_map *outer, const irl_map *inner,
                             const irl_shape *shape)
{
    const irl_map *r = irl_map_compose(cx, outer, inner);
    irl_shape      at, y, x, z;
    int            n, k, small = 1;
    if (!r) return !irl_ok(cx) || wrong("no composition, and no diagnostic");
    for (k = 0; k < outer->output_count; k++) small &= has_small_numbers(outer->outputs[k]);
    for (k = 0; k < inner->output_count; k++) small &= has_small_numbers(inner->outputs[k]);
    for (n = 0; n < 10 && volume(shape, FEW) > 0; n++) {
        random_point(shape, &at);
        if (model_apply(inner, &at, &y) != MODEL_OK || model_apply(outer, &y, &x) != MODEL_OK)
            continue;
        if (model_apply(r, &at, &z) == MODEL_OVERFLOW &&
            !(small && is_small(&at) && is_small(&y) && is_small(&x)))
            continue;
        if (model_apply(r, &at, &z) != MODEL_OK || !same(&x, &z)) return wrong("the composition");
    }
    return 1;
}

static int right_equal(irl_ctx *cx, const irl_map *a, const irl_map *b, const irl_shape *shape,
                       irl_answer never)
{
    irl_difference d;
    irl_shape      x, y;
    irl_answer     answer = irl_map_equal(cx, a, b, *shape, &d);
    if (answer == never) return wrong("equal");
    if (answer != IRL_NO) return 1;
    return (inside(&d.point, shape) && model_apply(a, &d.point, &x) == MODEL_OK &&
            model_apply(b, &d.point, &y) == MODEL_OK && !same(&x, &y)) ||
           wrong("the witness of a difference");
}

static int model_moved(int64_t a, int64_t by, int64_t *out)
{
    model_number n;
    return model_add(irl_type_of(IRL_INDEX, 1), model_of(a), model_of(by), &n) == MODEL_OK &&
           model_int64(n, out);
}

static int right_shape(const irl_map *m, const irl_shape *first, const irl_shape *shape,
                       const irl_shape *physical, const irl_shape *minimum)
{
    irl_shape at, y;
    int       n, k;
    for (n = 0; n < 10 && volume(shape, FEW) > 0; n++) {
        random_point(shape, &at);
        for (k = 0; first && k < at.rank; k++)
            if (!model_moved(at.extent[k], first->extent[k], &at.extent[k]))
                return wrong("a range that overflows");
        if (model_apply(m, &at, &y) != MODEL_OK) return wrong("the shape of a map without a value");
        for (k = 0; k < y.rank; k++)
            if (y.extent[k] < minimum->extent[k] || y.extent[k] >= physical->extent[k])
                return wrong("the shape");
    }
    return 1;
}

/* The text parses to a map of the same text and the same values. */
static int right_text(irl_ctx *cx, const irl_map *m)
{
    const char    *text = irl_map_text(cx, m);
    const irl_map *again = irl_map_parse(cx, text);
    return (again && strcmp(irl_map_text(cx, again), text) == 0) || wrong("the text");
}

/* Every entry that takes a map, each from a context without failure; `first`: of a range of points.
 */
static int right_everywhere(irl_ctx *cx, const irl_map *m, const irl_shape *shape, irl_shape first)
{
    irl_mark       mark = irl_ctx_mark(cx);
    irl_shape      physical, minimum;
    const irl_map *inverse;
    const irl_expr *padding, *moved[IRL_MAX_RANK];
    int            k, ok = right_text(cx, m);
    irl_ctx_rewind(cx, mark);
    if (irl_map_shape(cx, m, *shape, &physical, &minimum))
        ok = ok && right_shape(m, NULL, shape, &physical, &minimum);
    else ok = ok && (!irl_ok(cx) || wrong("no shape, and no diagnostic"));
    irl_ctx_rewind(cx, mark);
    if (irl_map_ranges(cx, m, first, *shape, &physical, &minimum))
        ok = ok && right_shape(m, &first, shape, &physical, &minimum);
    else ok = ok && (!irl_ok(cx) || wrong("no ranges, and no diagnostic"));
    irl_ctx_rewind(cx, mark);
    inverse = irl_map_inverse(cx, m, *shape, &padding);
    ok = ok && (!inverse == !irl_ok(cx) || wrong("an inverse or a diagnostic"));
    irl_ctx_rewind(cx, mark);
    ok = ok && right_equal(cx, m, m, shape, IRL_NO);
    irl_ctx_rewind(cx, mark);
    for (k = 0; k < m->output_count; k++)
        moved[k] = k ? m->outputs[k]
                     : irl_expr_op2(cx, IRL_OP_BITXOR, m->outputs[k], irl_expr_index(cx, 1));
    ok = ok &&
         right_equal(cx, m,
                     irl_map_new(cx, m->input_count, m->inputs, m->output_count, moved, 0, NULL),
                     shape, m->output_count && volume(shape, FEW) > 0 ? IRL_YES : (irl_answer)-1);
    irl_ctx_rewind(cx, mark);
    if (m->input_count == m->output_count) ok = ok && right_composition(cx, m, m, shape);
    irl_ctx_rewind(cx, mark);
    return ok;
}

#endif
