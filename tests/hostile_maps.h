/* hostile_maps.h - maps made to break the arithmetic, and a model of what they mean that shares no
   code with the library: its own checked arithmetic, by magnitudes, and a walk over the expression
   as it is written. */
#ifndef IRL_HOSTILE_MAPS_H
#define IRL_HOSTILE_MAPS_H

/* ------------------------------------------------------------------ the model */

typedef enum model_status {
    MODEL_OK,
    MODEL_OVERFLOW,
    MODEL_ZERO,
    MODEL_SHIFT,
    MODEL_NONE
} model_status;

/* sign and magnitude; false where the number is no int64_t. */
static int model_signed(int negative, uint64_t size, int64_t *out)
{
    if (size > (uint64_t)INT64_MAX + (uint64_t)negative) return 0;
    *out = !negative ? (int64_t)size : size == (uint64_t)INT64_MAX + 1 ? INT64_MIN : -(int64_t)size;
    return 1;
}

static uint64_t model_size(int64_t a) { return a < 0 ? (uint64_t)-(a + 1) + 1 : (uint64_t)a; }

static int model_add(int64_t a, int64_t b, int64_t *out)
{
    uint64_t x = model_size(a), y = model_size(b);
    if ((a < 0) == (b < 0)) return x + y >= x && model_signed(a < 0, x + y, out);
    return x >= y ? model_signed(a < 0 && x > y, x - y, out) : model_signed(b < 0, y - x, out);
}

static int model_negate(int64_t a, int64_t *out) { return model_signed(a > 0, model_size(a), out); }

static int model_mul(int64_t a, int64_t b, int64_t *out)
{
    uint64_t x = model_size(a), y = model_size(b);
    if (x && y > UINT64_MAX / x) return 0;
    return model_signed((a < 0) != (b < 0) && x && y, x * y, out);
}

/* Quotient towards 0 (floors 0) or minus infinity, and the remainder that belongs to it. */
static int model_div(int64_t a, int64_t b, int floors, int64_t *q, int64_t *r)
{
    uint64_t x = model_size(a) / model_size(b), rest = model_size(a) % model_size(b);
    int      negative = (a < 0) != (b < 0), up = floors && rest && negative;
    if (r && !model_signed(a < 0 && rest, rest, r)) return 0;
    if (r && up) *r += b; /* of the other sign, and larger */
    return !q || model_signed(negative && (x || up), x + (uint64_t)up, q);
}

static model_status model_binary(irl_op op, int64_t a, int64_t b, int64_t *out)
{
    int64_t t;
    int     k;
    switch (op) {
    case IRL_OP_ADD: return model_add(a, b, out) ? MODEL_OK : MODEL_OVERFLOW;
    case IRL_OP_SUB: /* a - b = -(b - a) = a + (-b); -b alone may not fit */
        if (model_negate(b, &t)) return model_add(a, t, out) ? MODEL_OK : MODEL_OVERFLOW;
        return a < 0 ? (*out = a + INT64_MAX + 1, MODEL_OK) : MODEL_OVERFLOW;
    case IRL_OP_MUL: return model_mul(a, b, out) ? MODEL_OK : MODEL_OVERFLOW;
    case IRL_OP_FLOORDIV:
        return b == 0 ? MODEL_ZERO : model_div(a, b, 1, out, NULL) ? MODEL_OK : MODEL_OVERFLOW;
    case IRL_OP_FLOORMOD:
        return b == 0 ? MODEL_ZERO : model_div(a, b, 1, NULL, out) ? MODEL_OK : MODEL_OVERFLOW;
    case IRL_OP_TRUNCDIV:
        return b == 0 ? MODEL_ZERO : model_div(a, b, 0, out, NULL) ? MODEL_OK : MODEL_OVERFLOW;
    case IRL_OP_TRUNCMOD:
        return b == 0 ? MODEL_ZERO : model_div(a, b, 0, NULL, out) ? MODEL_OK : MODEL_OVERFLOW;
    case IRL_OP_MIN: return *out = a < b ? a : b, MODEL_OK;
    case IRL_OP_MAX: return *out = a > b ? a : b, MODEL_OK;
    case IRL_OP_EQ: return *out = a == b, MODEL_OK;
    case IRL_OP_NE: return *out = a != b, MODEL_OK;
    case IRL_OP_LT: return *out = a < b, MODEL_OK;
    case IRL_OP_LE: return *out = a <= b, MODEL_OK;
    case IRL_OP_GT: return *out = a > b, MODEL_OK;
    case IRL_OP_GE: return *out = a >= b, MODEL_OK;
    case IRL_OP_BITAND: return *out = a & b, MODEL_OK;
    case IRL_OP_BITOR: return *out = a | b, MODEL_OK;
    case IRL_OP_BITXOR: return *out = a ^ b, MODEL_OK;
    case IRL_OP_SHL:
        if (b < 0 || b > 63) return MODEL_SHIFT;
        for (k = 0; k < b; k++)
            if (!model_add(a, a, &a)) return MODEL_OVERFLOW;
        return *out = a, MODEL_OK;
    case IRL_OP_SHR:
        if (b < 0 || b > 63) return MODEL_SHIFT;
        for (k = 0; k < b; k++) (void)model_div(a, 2, 1, &a, NULL);
        return *out = a, MODEL_OK;
    default: return MODEL_NONE;
    }
}

static model_status model_value(const irl_map *m, const irl_expr *e, const int64_t *at,
                                int64_t *out)
{
    int64_t      a = 0, b = 0, c = 0;
    model_status s;
    int          k;
    switch (e->op) {
    case IRL_OP_INT: return *out = e->u.i, MODEL_OK;
    case IRL_OP_VAR:
        for (k = 0; k < m->input_count; k++)
            if (m->inputs[k] == e) return *out = at[k], MODEL_OK;
        return MODEL_NONE;
    default: break;
    }
    s = model_value(m, e->a[0], at, &a);
    if (s != MODEL_OK) return s;
    if (e->op == IRL_OP_AND || e->op == IRL_OP_OR)
        return (a != 0) == (e->op == IRL_OP_OR) ? (*out = a, MODEL_OK)
                                                : model_value(m, e->a[1], at, out);
    if (e->op == IRL_OP_IF_THEN_ELSE) return model_value(m, e->a[a ? 1 : 2], at, out);
    if (e->op == IRL_OP_NOT) return *out = !a, MODEL_OK;
    if (e->op == IRL_OP_NEG) return model_negate(a, out) ? MODEL_OK : MODEL_OVERFLOW;
    if (e->op == IRL_OP_ABS)
        return a >= 0 ? (*out = a, MODEL_OK) : model_negate(a, out) ? MODEL_OK : MODEL_OVERFLOW;
    if (e->op == IRL_OP_BITNOT) return *out = ~a, MODEL_OK;
    s = model_value(m, e->a[1], at, &b);
    if (s != MODEL_OK) return s;
    if (e->op != IRL_OP_SELECT) return model_binary((irl_op)e->op, a, b, out);
    s = model_value(m, e->a[2], at, &c);
    if (s == MODEL_OK) *out = a ? b : c;
    return s;
}

static model_status model_apply(const irl_map *m, const irl_shape *at, irl_shape *out)
{
    model_status s = MODEL_OK;
    int          k;
    memset(out, 0, sizeof *out);
    out->rank = m->output_count;
    for (k = 0; k < m->output_count && s == MODEL_OK; k++)
        s = model_value(m, m->outputs[k], at->extent, &out->extent[k]);
    return s;
}

/* ----------------------------------------------------------- hostile numbers and expressions */

static const int64_t hostile_extents[] = { 0,
                                           1,
                                           2,
                                           3,
                                           4,
                                           5,
                                           7,
                                           8,
                                           16,
                                           64,
                                           100,
                                           INT64_C(1) << 31,
                                           (INT64_C(1) << 32) - 1,
                                           (INT64_C(1) << 32) + 1,
                                           INT64_C(1) << 40,
                                           INT64_C(1) << 61,
                                           INT64_C(1) << 62,
                                           INT64_MAX - 1,
                                           INT64_MAX };
static const int64_t hostile_constants[] = { 0,
                                             1,
                                             -1,
                                             2,
                                             -2,
                                             3,
                                             4,
                                             7,
                                             8,
                                             63,
                                             64,
                                             100,
                                             INT64_C(1) << 31,
                                             -(INT64_C(1) << 31),
                                             (INT64_C(1) << 32) - 1,
                                             (INT64_C(1) << 32) + 1,
                                             INT64_C(1) << 40,
                                             INT64_C(1) << 62,
                                             -(INT64_C(1) << 62),
                                             INT64_MAX,
                                             -INT64_MAX,
                                             INT64_MIN };
enum {
    HOSTILE_EXTENTS = sizeof hostile_extents / sizeof hostile_extents[0],
    HOSTILE_CONSTANTS = sizeof hostile_constants / sizeof hostile_constants[0]
};

static int64_t hostile_constant(void)
{
    return hostile_constants[random_below(random_below(2) ? HOSTILE_CONSTANTS : 12)];
}
static int64_t hostile_extent(void)
{
    return hostile_extents[random_below(random_below(3) ? 11 : HOSTILE_EXTENTS)];
}

static const irl_expr *hostile_condition(irl_ctx *cx, int count, const irl_expr *const *vars,
                                         int depth);

static const irl_expr *hostile_expr(irl_ctx *cx, int count, const irl_expr *const *vars, int depth)
{
    static const irl_op ops[] = {
        IRL_OP_ADD,      IRL_OP_ADD,      IRL_OP_SUB,      IRL_OP_MUL,      IRL_OP_MUL,
        IRL_OP_FLOORDIV, IRL_OP_FLOORDIV, IRL_OP_FLOORMOD, IRL_OP_FLOORMOD, IRL_OP_TRUNCDIV,
        IRL_OP_TRUNCMOD, IRL_OP_MIN,      IRL_OP_MAX,      IRL_OP_BITAND,   IRL_OP_BITOR,
        IRL_OP_BITXOR,   IRL_OP_BITXOR,   IRL_OP_SHL,      IRL_OP_SHR
    };
    static const irl_op unary[] = { IRL_OP_NEG, IRL_OP_ABS, IRL_OP_BITNOT };
    const irl_expr     *a, *b, *c;
    int                 kind = random_below(12);
    if (depth == 0 || kind == 0)
        return random_below(3) ? vars[random_below(count)] : irl_idx(cx, hostile_constant());
    a = hostile_expr(cx, count, vars, depth - 1);
    if (kind == 1) return irl_op1(cx, unary[random_below(3)], a);
    b = random_below(2) ? irl_idx(cx, hostile_constant())
                        : hostile_expr(cx, count, vars, depth - 1);
    if (kind > 2) return irl_op2(cx, ops[random_below((int)(sizeof ops / sizeof ops[0]))], a, b);
    c = hostile_condition(cx, count, vars, depth - 1);
    return irl_op3(cx, random_below(2) ? IRL_OP_SELECT : IRL_OP_IF_THEN_ELSE, c, a, b);
}

static const irl_expr *hostile_condition(irl_ctx *cx, int count, const irl_expr *const *vars,
                                         int depth)
{
    const irl_expr *a = hostile_expr(cx, count, vars, depth),
                   *b = hostile_expr(cx, count, vars, depth), *c;
    c = irl_op2(cx, (irl_op)(IRL_OP_EQ + random_below(6)), a, b);
    if (depth == 0 || random_below(3)) return random_below(6) ? c : irl_op1(cx, IRL_OP_NOT, c);
    return irl_op2(cx, random_below(2) ? IRL_OP_AND : IRL_OP_OR, c,
                   hostile_condition(cx, count, vars, depth - 1));
}

/* A layout's usual parts with unusual numbers: what can be injective. */
static const irl_expr *hostile_layout(irl_ctx *cx, int count, const irl_expr *const *vars)
{
    const irl_expr *i = vars[random_below(count)], *j = vars[random_below(count)];
    int64_t         c = hostile_constant(), d = hostile_constant();
    if (random_below(10)) c += c == 0; /* not always a division by zero */
    switch (random_below(8)) {
    case 0: return i;
    case 1: return irl_op2(cx, IRL_OP_FLOORDIV, i, irl_idx(cx, c));
    case 2: return irl_op2(cx, IRL_OP_FLOORMOD, i, irl_idx(cx, c));
    case 3: return irl_op2(cx, IRL_OP_ADD, irl_op2(cx, IRL_OP_MUL, i, irl_idx(cx, c)), j);
    case 4: return irl_op2(cx, IRL_OP_ADD, i, irl_idx(cx, c));
    case 5: return irl_op2(cx, IRL_OP_SUB, irl_idx(cx, c), i);
    case 6:
        return irl_op2(cx, IRL_OP_BITXOR, i,
                       irl_op2(cx, IRL_OP_SHR, j, irl_idx(cx, random_below(66) - 1)));
    default:
        return irl_op2(cx, IRL_OP_ADD,
                       irl_op2(cx, IRL_OP_MUL, irl_op2(cx, IRL_OP_FLOORDIV, i, irl_idx(cx, c)),
                               irl_idx(cx, d)),
                       irl_op2(cx, IRL_OP_FLOORMOD, j, irl_idx(cx, c)));
    }
}

/* A map and a shape from the next random numbers; NULL where a constructor refused. */
static const irl_map *hostile_map(irl_ctx *cx, irl_shape *shape)
{
    static const char *const names[] = { "i", "j", "k" };
    const irl_expr *in[3], *out[4];
    int count = 1 + random_below(3), outputs = 1 + random_below(3), k, tame = random_below(3);
    memset(shape, 0, sizeof *shape);
    shape->rank = count;
    for (k = 0; k < count; k++) {
        in[k] = irl_var(cx, names[k], irl_type_of(IRL_INDEX, 1));
        shape->extent[k] = hostile_extent();
    }
    for (k = 0; k < outputs; k++)
        out[k] =
            tame ? hostile_layout(cx, count, in) : hostile_expr(cx, count, in, 1 + random_below(4));
    return irl_map_new(cx, count, in, outputs, out, 0, NULL);
}

#endif
